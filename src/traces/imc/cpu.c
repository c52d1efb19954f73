// SPDX-License-Identifier: Apache-2.0
/* Threads of POWER cores as CPUs of a trace. */
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/section_list.h"
#include "traces/common/cpus.h"
#include "traces/timeline/view_fields.h"

#define POWER9_KERNEL (UINT64_C(12) << 60) /* from here on; its modes do not tell */

static cs_trace_machine machine(const cs_scenario *s)
{
    static const cs_trace_machine power9 = {"ppc64le", "POWER9 (simulated)", "0x4e1202"},
                                  power10 = {"ppc64le", "POWER10 (simulated)", "0x800200"};

    return s->imc->power10 ? power10 : power9;
}

static bool is_kernel(const cs_scenario *s, cs_privilege mode, uint64_t address)
{
    return s->imc->power10 ? mode == CS_MODE_HOST_KERNEL || mode == CS_MODE_GUEST_KERNEL
                           : address >= POWER9_KERNEL;
}

static void place(const cs_scenario *s, unsigned cpu, unsigned *core, unsigned *socket)
{
    const unsigned number = (cpu - cs_scenario_imc_cpu(s, 0, 0)) / s->imc->threads;

    *socket = cs_imc_chip_of(s->imc, number);
    *core = number - *socket * cs_imc_chip_cores(s->imc);
}

const cs_trace_cpu cs_trace_cpu_power = {
    .section = &cs_section_imc,
    .machine = machine,
    .is_kernel = is_kernel,
    .place = place,
    .software = &cs_view_class_software,
};
