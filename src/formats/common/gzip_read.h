// SPDX-License-Identifier: Apache-2.0
/* A file that may be packed by gzip, as a whole in memory. */
#ifndef CS_FORMATS_COMMON_GZIP_READ_H
#define CS_FORMATS_COMMON_GZIP_READ_H

#include "formats/common/byte_source.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_GZIP_MOST_BYTES (UINT64_C(256) << 20) /* of what was packed */

/* *out, to be freed, has *bytes bytes; of a file that is not packed they are its own. `name` is for
 * messages. CS_ERR_FORMAT: it is damaged, or has more than CS_GZIP_MOST_BYTES; CS_ERR_NO_MEMORY. *out is
 * NULL then. */
cs_status cs_gzip_read(const cs_byte_source *source, const char *name, uint8_t **out, size_t *bytes,
                       cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
