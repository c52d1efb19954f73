#include "foreign/foreign.h"

#include <stdlib.h>

cs_status cs_foreign_compare(const cs_foreign_unit *unit, const char *map_path,
                             const cs_foreign_rtl *rtl, const cs_foreign_options *options,
                             cs_foreign_report *report, cs_diag *diag)
{
    char path[CS_FOREIGN_PATH];
    cs_foreign_map *map = NULL;
    cs_foreign_dut *dut = NULL;
    cs_status status = cs_foreign_map_load(map_path, unit, &map, diag);

    *report = (cs_foreign_report){0};
    if (status == CS_OK)
        status = cs_foreign_build(map, rtl, path, diag);
    if (status == CS_OK)
        status = cs_foreign_dut_open(path, &dut, diag);
    if (status == CS_OK)
        status = unit->compare(&map->design, dut, options, report, diag);
    cs_foreign_dut_close(dut);
    cs_foreign_map_destroy(map);
    if (status != CS_OK)
        cs_foreign_report_clear(report);
    return status;
}

void cs_foreign_report_clear(cs_foreign_report *report)
{
    free(report->touched);
    report->touched = NULL;
}
