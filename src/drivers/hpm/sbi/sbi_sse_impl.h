// SPDX-License-Identifier: Apache-2.0
/* Inside the software events: what their parts hand to each other. */
#ifndef CS_DRIVERS_HPM_SBI_SBI_SSE_IMPL_H
#define CS_DRIVERS_HPM_SBI_SBI_SSE_IMPL_H

#include <countersink/drivers/hpm/sbi/sbi_sse.h>

#define CS_SSE_MAX_EVENTS (CS_SSE_MAX_PLATFORM + 2)

struct cs_sbi_sse {
    cs_sbi_sse_config config;
    cs_sse_event events[CS_SSE_MAX_EVENTS];
    size_t nr_events;
    bool masked;
};

/* ---- sbi_sse.c ---- */

cs_sse_event *cs_sse_find(cs_sbi_sse *sse, uint32_t id);
/* The event that a call's argument names, or why there is none. */
cs_sbi_error cs_sse_named(cs_sbi_sse *sse, uint64_t argument, cs_sse_event **event);

/* ---- sbi_sse_attr.c ---- */

cs_sbi_error cs_sse_read_attrs(cs_sbi_sse *sse, cs_hart *hart, const cs_sse_event *event,
                               const uint64_t args[6]);
cs_sbi_error cs_sse_write_attrs(cs_sbi_sse *sse, cs_hart *hart, cs_sse_event *event,
                                const uint64_t args[6]);

#endif
