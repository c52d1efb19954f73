// SPDX-License-Identifier: Apache-2.0
#include "report/panels.h"

size_t cs_report_panels(const cs_report_panel *out[CS_REPORT_MOST_PANELS])
{
    size_t nr = 0;

    for (const cs_report_panel *const *unit = cs_report_units; *unit != NULL; unit++)
        for (const cs_report_panel *panel = *unit; panel->id != NULL && nr < CS_REPORT_MOST_PANELS;
             panel++) {
            size_t at = nr++;

            for (; at > 0 && out[at - 1]->place > panel->place; at--)
                out[at] = out[at - 1];
            out[at] = panel;
        }
    return nr;
}
