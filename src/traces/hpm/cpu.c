// SPDX-License-Identifier: Apache-2.0
/* Harts as CPUs of a trace. */
#include "scenario/hpm/hart_cpus.h"
#include "scenario/section_list.h"
#include "traces/common/cpus.h"
#include "traces/timeline/view_fields.h"

static cs_trace_machine machine(const cs_scenario *s)
{
    (void)s;
    return (cs_trace_machine){"riscv64", "RISC-V (simulated)", "0x0"};
}

static bool is_kernel(const cs_scenario *s, cs_privilege mode, uint64_t address)
{
    (void)s, (void)address;
    return mode != CS_MODE_U && mode != CS_MODE_VU;
}

static bool is_guest(cs_privilege mode)
{
    return mode == CS_MODE_VS || mode == CS_MODE_VU;
}

static unsigned unit(const cs_scenario *s, unsigned cpu)
{
    return CS_UNIT_HART(cpu - cs_scenario_hart_cpu(s, 0));
}

static const cs_field_label who[] = {{1, "kernel"}, {2, "firmware"}, {3, "guest"}};
static const cs_field software[] = {CS_VIEW_DECIMAL("cycles", 64), CS_VIEW_ENUM("who", who)};
const cs_view_class cs_view_class_hart_software =
    CS_VIEW_CLASS("hart_software", CS_VIEW_SLICE, software);

const cs_trace_cpu cs_trace_cpu_hart = {
    .section = &cs_section_harts,
    .machine = machine,
    .is_kernel = is_kernel,
    .is_guest = is_guest,
    .unit = unit,
    .software = &cs_view_class_hart_software,
};
