// SPDX-License-Identifier: Apache-2.0
#include "traces/common/image.h"

const cs_trace_format cs_trace_snapshot = CS_IMAGE_TRACE("snapshot pages of the harts");
