// SPDX-License-Identifier: Apache-2.0
#include "scenario/hpm/riscv_find.h"

#include "scenario/scenario.h"

const cs_key_choice cs_riscv_set_event_choices[] = {
    {"plain", CS_RISCV_SET_EVENT_PLAIN, NULL, NULL, "of one counter"},
    {"mask", CS_RISCV_SET_EVENT_MASK, NULL, NULL, "on failure it returns which counters could"},
    {"boolean", CS_RISCV_SET_EVENT_BOOLEAN, NULL, NULL,
     "an argument lets the firmware pick a counter"},
    {0},
};

const cs_key_choice cs_riscv_find_choices[] = {
    {"free", CS_RISCV_FIND_FREE, NULL, NULL, "CONFIG_MATCHING of the free counters"},
    {"all", CS_RISCV_FIND_ALL, NULL, NULL, "CONFIG_MATCHING of all, as Linux does"},
    {"each", CS_RISCV_FIND_EACH, NULL, NULL, "SET_EVENT of one free counter after the other"},
    {"mask", CS_RISCV_FIND_MASK, NULL, NULL, "the same, guided by what a failure returns"},
    {"boolean", CS_RISCV_FIND_ANY, NULL, NULL, "one SET_EVENT: the firmware picks"},
    {0},
};

void cs_riscv_find_compute(cs_check *check, const char *path, cs_riscv_driver_spec *driver)
{
    static const cs_riscv_find ways[] = {
        [CS_RISCV_SET_EVENT_PLAIN] = CS_RISCV_FIND_EACH,
        [CS_RISCV_SET_EVENT_MASK] = CS_RISCV_FIND_MASK,
        [CS_RISCV_SET_EVENT_BOOLEAN] = CS_RISCV_FIND_ANY,
    };

    if (cs_check_at(check, "%s.find", path) != NULL)
        return;
    driver->find = driver->kind == CS_RISCV_V3 ? ways[check->scenario->riscv->firmware.set_event]
                                               : CS_RISCV_FIND_FREE;
}

/* What is wrong with it; NULL: nothing. */
static const char *problem(const cs_scenario *s, const cs_riscv_driver_spec *driver)
{
    const cs_riscv_find find = driver->find;

    if (driver->kind == CS_RISCV_SBI)
        return find <= CS_RISCV_FIND_ALL ? NULL : "SET_EVENT is the proposal's: expected free, all";
    if (driver->kind != CS_RISCV_V3)
        return "only the kinds sbi and v3 ask the firmware for a counter";
    if (find == CS_RISCV_FIND_ALL)
        return "the proposal leaves who has which counter to the driver: expected free, each, mask "
               "or boolean";
    if (find == CS_RISCV_FIND_MASK && s->riscv->firmware.set_event != CS_RISCV_SET_EVENT_MASK)
        return "needs riscv.firmware.set_event mask";
    if (find == CS_RISCV_FIND_ANY && s->riscv->firmware.set_event != CS_RISCV_SET_EVENT_BOOLEAN)
        return "needs riscv.firmware.set_event boolean";
    return NULL;
}

cs_status cs_riscv_find_check(cs_check *check, const char *path, const cs_riscv_driver_spec *driver)
{
    const cs_scenario *s = check->scenario;
    const bool is_given = cs_check_at(check, "%s.find", path) != NULL;
    const char *wrong = is_given ? problem(s, driver) : NULL;

    if (wrong != NULL)
        return cs_check_fail(check, "%s", wrong);
    cs_check_at(check, "riscv.firmware.set_event");
    if (!s->riscv->firmware.proposal_v3 && s->riscv->firmware.set_event != CS_RISCV_SET_EVENT_PLAIN)
        return cs_check_fail(check, "SET_EVENT is the proposal's: needs firmware.form proposal_v3");
    return CS_OK;
}
