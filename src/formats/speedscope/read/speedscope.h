// SPDX-License-Identifier: Apache-2.0
/* Reads speedscope's own JSON (its file-format-schema.json): profiles that are sampled. A row is a sample.
 * Evented profiles are refused. */
#ifndef CS_FORMATS_SPEEDSCOPE_READ_SPEEDSCOPE_H
#define CS_FORMATS_SPEEDSCOPE_READ_SPEEDSCOPE_H

#include "formats/common/profile_read.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cs_profileread_class cs_speedscoperead;

bool cs_speedscoperead_looks_so(const uint8_t *look, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
