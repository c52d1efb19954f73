// SPDX-License-Identifier: Apache-2.0
/* What units show in a report. Each has a folder here with a panels.c, which has the list
 * `cs_report_of_<folder>`; its last panel has the id NULL. The build finds them: no list is changed. */
#ifndef CS_REPORT_PANELS_H
#define CS_REPORT_PANELS_H

#include <stddef.h>

#include "report/panel.h"

#define CS_REPORT_MOST_PANELS 64u

/* From the build: a list of each folder, by the folders' names; the last is NULL. */
extern const cs_report_panel *const cs_report_units[];

/* All panels, by their places; returns how many. Of one place: by the folders' names. */
size_t cs_report_panels(const cs_report_panel *out[CS_REPORT_MOST_PANELS]);

#endif
