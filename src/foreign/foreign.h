// SPDX-License-Identifier: Apache-2.0
/* Somebody's own RTL against our model at its pins: docs/yours/rtl.md. */
#ifndef CS_FOREIGN_FOREIGN_H
#define CS_FOREIGN_FOREIGN_H

#include "foreign/rtl/build.h"
#include "foreign/unit.h"

/* `waves`: a file in FST that is written by a second run, around the first difference, or of the first
 * program; with .gtkw behind it GTKWave's. NULL: none.
 * CS_OK: compared; report->pin says whether they differ. Errors: of cs_foreign_map_load and
 * cs_foreign_build. On success cs_foreign_report_clear takes the report. */
cs_status cs_foreign_compare(const cs_foreign_unit *unit, const char *map_path,
                             const cs_foreign_rtl *rtl, const cs_foreign_options *options,
                             const char *waves, cs_foreign_report *report, cs_diag *diag);

#endif
