#include "report/panels.h"

#define LIST(name) cs_report_of_##name,
static const cs_report_panel *const units[] = {CS_REPORT_UNITS(LIST)};
#undef LIST

size_t cs_report_panels(const cs_report_panel *out[CS_REPORT_MOST_PANELS])
{
    size_t nr = 0;

    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
        for (const cs_report_panel *panel = units[u];
             panel->id != NULL && nr < CS_REPORT_MOST_PANELS; panel++) {
            size_t at = nr++;

            for (; at > 0 && out[at - 1]->place > panel->place; at--)
                out[at] = out[at - 1];
            out[at] = panel;
        }
    return nr;
}
