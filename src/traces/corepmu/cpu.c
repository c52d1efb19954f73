// SPDX-License-Identifier: Apache-2.0
/* Arm's CPUs as those of a trace. */
#include "scenario/section_list.h"
#include "traces/common/cpus.h"
#include "traces/timeline/view_fields.h"

static cs_trace_machine machine(const cs_scenario *s)
{
    (void)s;
    return (cs_trace_machine){"aarch64", "Kunpeng (simulated)", "0x0"};
}

static bool is_kernel(const cs_scenario *s, cs_privilege mode, uint64_t address)
{
    (void)s, (void)address;
    return mode != CS_MODE_EL0;
}

const cs_trace_cpu cs_trace_cpu_arm = {
    .section = &cs_section_pmcu,
    .machine = machine,
    .is_kernel = is_kernel,
    .software = &cs_view_class_software,
};
