/* What units show in a report: a row each. Behind a row stands a list of panels in the unit's folder of
 * src/report/, of which the last has the id NULL. */
#ifndef CS_REPORT_PANELS_H
#define CS_REPORT_PANELS_H

#include <stddef.h>

#include "report/panel.h"

#define CS_REPORT_UNITS(X) X(general) X(counts) X(pmcu) X(imc) X(hpm) X(uncore)

#define CS_REPORT_DECLARE(name) extern const cs_report_panel cs_report_of_##name[];
CS_REPORT_UNITS(CS_REPORT_DECLARE)
#undef CS_REPORT_DECLARE

#define CS_REPORT_MOST_PANELS 64u

/* All panels, by their places; returns how many. Of one place: in the order of the list. */
size_t cs_report_panels(const cs_report_panel *out[CS_REPORT_MOST_PANELS]);

#endif
