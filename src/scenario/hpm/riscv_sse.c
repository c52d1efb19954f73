// SPDX-License-Identifier: Apache-2.0
#include "scenario/hpm/riscv_sse.h"

#include "scenario/hpm/hart_cpus.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/scenario.h"

#define VERSION_3_0 0x03000000u

static bool runs_on_hart(const cs_scenario *s, const cs_workload_spec *w)
{
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++)
        if (w->cpus[cpu] && cs_scenario_is_hart(s, cpu))
            return true;
    return false;
}

/* What runs in M mode is nobody's to interrupt by an event of the supervisor's. */
static cs_status check_modes(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments; k++)
            if (s->workloads[i].segments[k].mode == CS_MODE_M &&
                runs_on_hart(s, &s->workloads[i])) {
                cs_check_at(check, "riscv.driver.sse");
                return cs_check_fail(check,
                                     "not allowed beside workloads.%zu.segments.%zu, which "
                                     "is in mode m",
                                     i, k);
            }
    return CS_OK;
}

static cs_status check_driver(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    const cs_riscv_spec *r = s->riscv;

    cs_check_at(check, "riscv.guest.sse");
    if (r->guest.sse)
        return cs_check_fail(check, "a guest's calls go to its hypervisor, which has no software "
                                    "events");
    cs_check_at(check, "riscv.driver.sse");
    if (!r->driver.sse)
        return CS_OK;
    if (r->driver.kind != CS_RISCV_SBI)
        return cs_check_fail(check, "needs kind sbi");
    if (r->has_guest)
        return cs_check_fail(check, "not allowed beside riscv.has_guest: M mode keeps LCOFI");
    return check_modes(check);
}

cs_status cs_riscv_sse_check(cs_check *check)
{
    cs_riscv_spec *r = check->scenario->riscv;
    const bool can = !r->firmware.proposal_v3 && r->firmware.version >= VERSION_3_0;

    if (cs_check_at(check, "riscv.firmware.sse") == NULL)
        r->firmware.sse = can;
    if (r->firmware.sse && !can)
        return cs_check_fail(check, "software events need form ratified and version v3");
    return check_driver(check);
}
