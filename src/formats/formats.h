// SPDX-License-Identifier: Apache-2.0
/* All formats (formats.def): by number, by name, and as what a file looks like. */
#ifndef CS_FORMATS_FORMATS_H
#define CS_FORMATS_FORMATS_H

#include "formats/format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In the order of the list; NULL at `nr` and beyond. */
const cs_format *cs_format_at(size_t nr);

/* By its name or another spelling of it; NULL: none is called so. */
const cs_format *cs_format_named(const char *name);

/* Whether the format is called so. */
bool cs_format_is(const cs_format *format, const char *name);

/* What a file that begins with look[0..bytes) is, by its first CS_INPUT_LOOK_BYTES; NULL: it looks like
 * nothing. */
const cs_format *cs_format_guess(const uint8_t *look, size_t bytes);

/* What a folder is; NULL: `path` is none, or of no format. */
const cs_format *cs_format_guess_folder(const char *path);

/* What a file is printed as that looks like nothing. */
const cs_format *cs_format_otherwise(void);

/* The options that a format takes: its own, then those of the AUX data in it; NULL at `nr` and beyond. */
const cs_format_option *cs_format_option_at(const cs_format *format, size_t nr);

bool cs_format_takes(const cs_format *format, const cs_format_option *option);

#define CS_FORMAT_NAMES_BYTES 512u

/* The names of those formats that `has` picks (NULL: of all), as "a, b and c" with `last` for the last comma.
 * Returns `out`. */
const char *cs_format_names(char out[CS_FORMAT_NAMES_BYTES], const char *last,
                            bool (*has)(const cs_format *format, const void *ctx), const void *ctx);

#ifdef __cplusplus
}
#endif

#endif
