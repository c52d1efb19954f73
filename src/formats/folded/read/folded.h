// SPDX-License-Identifier: Apache-2.0
/* Reads folded stacks, "a;b;c NUMBER" a line, as flamegraph.pl takes them (docs/traces/profiles.md). */
#ifndef CS_FORMATS_FOLDED_READ_FOLDED_H
#define CS_FORMATS_FOLDED_READ_FOLDED_H

#include "formats/common/profile_read.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cs_profileread_class cs_foldedread;

/* Whether a file that begins so is of this format. */
bool cs_foldedread_looks_so(const uint8_t *look, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
