// SPDX-License-Identifier: Apache-2.0
#include "traces/common/image.h"

const cs_trace_format cs_trace_imc_trace = CS_IMAGE_TRACE("trace buffers of IMC at the end");
const cs_trace_format cs_trace_imc_core = CS_IMAGE_TRACE("counters of IMC cores in memory");
const cs_trace_format cs_trace_imc_thread = CS_IMAGE_TRACE("counters of IMC threads in memory");
