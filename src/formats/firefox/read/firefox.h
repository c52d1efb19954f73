// SPDX-License-Identifier: Apache-2.0
/* Reads processed profiles of the Firefox Profiler, packed by gzip or not: those of version 60 and on,
 * whose threads share their tables, and older ones. A row is a sample. */
#ifndef CS_FORMATS_FIREFOX_READ_FIREFOX_H
#define CS_FORMATS_FIREFOX_READ_FIREFOX_H

#include "formats/common/profile_read.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cs_profileread_class cs_firefoxread;

bool cs_firefoxread_looks_so(const uint8_t *look, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
