/* Software that does nothing. */
#include "drivers/software_list.h"
#include "scenario/scenario.h"

/* Ends at once. */
static void nothing(void *ctx, cycle_t now, const cs_op_result *last, cs_op *op)
{
    (void)ctx, (void)now, (void)last;
    op->kind = CS_OP_END;
}

static cs_software software(void *object)
{
    (void)object;
    return (cs_software){nothing, NULL};
}

const cs_software_row cs_software_row_none = {
    .software = software,
};
