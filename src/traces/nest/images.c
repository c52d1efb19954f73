// SPDX-License-Identifier: Apache-2.0
#include "traces/common/image.h"

const cs_trace_format cs_trace_imc_nest = CS_IMAGE_TRACE("the nest's window");
