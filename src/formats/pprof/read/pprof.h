// SPDX-License-Identifier: Apache-2.0
/* Reads pprof's profile.proto, packed by gzip or not. A row is a value of a sample that is not 0: of
 * each sample as many as there are kinds of values. */
#ifndef CS_FORMATS_PPROF_READ_PPROF_H
#define CS_FORMATS_PPROF_READ_PPROF_H

#include "formats/common/profile_read.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cs_profileread_class cs_pprofread;

#ifdef __cplusplus
}
#endif

#endif
