// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: formats that are memory as it stands at the end of the run: buffers and images one
 * after the other, for `decode` or another reader of what hardware and firmware leave there. Which they are
 * says the format's name (results/common/memory_images.h). */
#ifndef CS_TRACES_COMMON_IMAGE_H
#define CS_TRACES_COMMON_IMAGE_H

#include "traces/format.h"

cs_status cs_image_trace_check(const cs_scenario *scenario, const cs_trace_request *request,
                               cs_diag *diag);
cs_status cs_image_trace_open(const cs_trace_place *place, void **state, cs_run_listener *listener,
                              cs_diag *diag);
void cs_image_trace_close(void *state);

#define CS_IMAGE_TRACE(summary_)                                                                   \
    {                                                                                              \
        .summary = summary_, .check = cs_image_trace_check, .open = cs_image_trace_open,           \
        .close = cs_image_trace_close                                                              \
    }

#endif
