#include "scenario/pmcu/pmcu_registers.h"

#include <string.h>

#include "base/numbers.h"
#include "regs/gen/pmcu_regs.h"

typedef struct reg {
    const char *name;
    uint32_t offset;
} reg;

#define ROW(name, offset, ...) {#name, offset},
static const reg regs[] = {CS_PMCU_REGISTERS(ROW)};
#undef ROW

#define NR_REGS (sizeof regs / sizeof regs[0])

bool cs_pmcu_register_address(const char *name, uint64_t *addr, cs_suggest *suggest)
{
    for (size_t i = 0; i < NR_REGS; i++) {
        if (strcmp(regs[i].name, name) == 0) {
            *addr = CS_PMCU_BASE + regs[i].offset;
            return true;
        }
        if (suggest != NULL)
            cs_suggest_offer(suggest, regs[i].name);
    }
    return false;
}

const char *cs_pmcu_register_name(size_t index)
{
    return index < NR_REGS ? regs[index].name : NULL;
}
