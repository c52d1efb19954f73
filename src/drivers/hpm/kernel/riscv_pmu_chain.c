// SPDX-License-Identifier: Apache-2.0
/* A sample's call chain, as the kernel makes it (docs/drivers/riscv_driver.md, "Call chains"). */
#include "drivers/hpm/kernel/riscv_pmu_impl.h"
#include "formats/riscv/abi/ring.h"
#include <countersink/base/stream/timeline.h>
#include <countersink/formats/perf/abi/perf.h>

#define MOST_ADDRESSES 127u /* kernel.perf_event_max_stack */

size_t cs_riscv_chain(const cs_riscv_pmu *pmu, cs_hart *hart, uint16_t misc,
                      const cs_context *context, uint64_t words[])
{
    const cs_function *function = context->function;
    const size_t callers = function != NULL ? function->nr_returns : 0;
    size_t nr = 0;

    if (misc != CS_PERF_MISC_KERNEL && misc != CS_PERF_MISC_USER) {
        /* The stacks that it would walk are the host's, of the task that runs the guest. */
        words[nr++] = CS_PERF_CONTEXT_KERNEL;
        words[nr++] = CS_PERF_CONTEXT_USER;
        return nr;
    }
    words[nr++] = misc == CS_PERF_MISC_KERNEL ? CS_PERF_CONTEXT_KERNEL : CS_PERF_CONTEXT_USER;
    words[nr++] = context->pc;
    for (size_t i = 0; i < callers && i < MOST_ADDRESSES - 1; i++)
        words[nr++] = function->returns[i];
    cs_hart_work(hart, (nr - 1) * pmu->config.frame_cycles);
    return nr;
}
