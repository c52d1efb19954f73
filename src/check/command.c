/* The one perf command that a file is of. */
#include <stdlib.h>
#include <string.h>

#include "check/impl.h"

cs_status cs_check_command(cs_check *check, cs_check_list *list, int64_t *number)
{
    static const struct {
        const char *name; /* with a dot at its end: a number follows */
        cs_check_list list;
    } lists[] = {
        {"riscv.perf.", CS_CHECK_HARTS},
        {"imc_driver.perf.", CS_CHECK_IMC},
        {"uncore_driver.perf.", CS_CHECK_UNCORE},
        {"multiplex", CS_CHECK_MULTIPLEX},
        {"pmi", CS_CHECK_PMI},
    };
    const char *text = check->request->command;

    *list = CS_CHECK_ALL;
    *number = -1;
    if (text == NULL)
        return CS_OK;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const size_t length = strlen(lists[i].name);
        char *end = NULL;

        *list = lists[i].list;
        if (lists[i].name[length - 1] != '.') {
            if (strcmp(text, lists[i].name) == 0)
                return CS_OK;
        } else if (strncmp(text, lists[i].name, length) == 0) {
            *number = strtoll(text + length, &end, 10);
            if (end != text + length && *end == '\0' && *number >= 0)
                return CS_OK;
        }
    }
    return cs_diag_set(check->diag, CS_ERR_RANGE, NULL,
                       "--command: found '%s', expected riscv.perf.N, imc_driver.perf.N, "
                       "uncore_driver.perf.N, multiplex or pmi",
                       text);
}
