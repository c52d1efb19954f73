// SPDX-License-Identifier: Apache-2.0
#include "scenario/pmcu/pmcu_registers.h"

#include <string.h>

#include <countersink/base/numbers.h>
#include <countersink/regs/pmcu_regs.h>

const cs_unit_register cs_pmcu_registers[] = {CS_PMCU_REGISTERS(CS_UNIT_REGISTER){0}};

_Static_assert(CS_PMCU_BASE == 0x10000000 && CS_PMCU_STRIDE == 0x100000 && CS_MAX_DIES == 4,
               "what follows says where the registers are");
#define OF_DIE(d)                                                                                  \
    "the registers of die " d " (pmcu.dies), hisi_pmcu_sccl<pmcu.sccl + " d " sccl_step>"
const cs_unit_place cs_pmcu_places[] = {
    {"pmcu.FSM_STATUS", "bus 0x10000000", "ro", "where the registers of die 0 begin", NULL},
    {"pmcu.1.FSM_STATUS", "bus 0x10100000", "ro", OF_DIE("1"), NULL},
    {"pmcu.2.FSM_STATUS", "bus 0x10200000", "ro", OF_DIE("2"), NULL},
    {"pmcu.3.FSM_STATUS", "bus 0x10300000", "ro", OF_DIE("3"), NULL},
    {0},
};

bool cs_pmcu_register_address(unsigned dies, const char *name, uint64_t *addr, cs_suggest *suggest)
{
    uint64_t base = CS_PMCU_BASE;

    if (name[0] >= '0' && name[0] < (char)('0' + dies) && name[1] == '.') {
        base += (uint64_t)(name[0] - '0') * CS_PMCU_STRIDE;
        name += 2;
    }
    for (const cs_unit_register *row = cs_pmcu_registers; row->name != NULL; row++) {
        if (strcmp(row->name, name) == 0) {
            *addr = base + row->offset;
            return true;
        }
        if (suggest != NULL)
            cs_suggest_offer(suggest, row->name);
    }
    return false;
}

const char *cs_pmcu_register_name(size_t index)
{
    return index < sizeof cs_pmcu_registers / sizeof cs_pmcu_registers[0]
               ? cs_pmcu_registers[index].name
               : NULL;
}
