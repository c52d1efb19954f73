/* Somebody's own RTL against our model at its pins: docs/yours/rtl.md. */
#ifndef CS_FOREIGN_FOREIGN_H
#define CS_FOREIGN_FOREIGN_H

#include "foreign/build.h"
#include "foreign/unit.h"

/* CS_OK: compared; report->pin says whether they differ. Errors: of cs_foreign_map_load and
 * cs_foreign_build. On success cs_foreign_report_clear takes the report. */
cs_status cs_foreign_compare(const cs_foreign_unit *unit, const char *map_path,
                             const cs_foreign_rtl *rtl, const cs_foreign_options *options,
                             cs_foreign_report *report, cs_diag *diag);
void cs_foreign_report_clear(cs_foreign_report *report);

#endif
