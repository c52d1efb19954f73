// SPDX-License-Identifier: Apache-2.0
/* Uncore units: who manages them, and the moves. */
#include "report/panels.h"

static const cs_report_query die[] = {
    {"units", "unit",
     "SELECT 'uncore ' || name AS name, cpu, counters, width, accesses, wrong FROM unit ORDER BY "
     "unit",
     0},
    {0},
};

static const cs_report_query timeline[] = {
    {"moves", "unit_move",
     "SELECT 'uncore ' || unit AS owner, 'move' AS lane, coalesce('to cpu ' || new_cpu, 'given "
     "away')"
     " AS label, stopped AS start, coalesce(taken, stopped) AS stop FROM unit_move"
     " ORDER BY unit, stopped",
     0},
    {0},
};

const cs_report_panel cs_report_of_uncore[] = {
    {"die", CS_REPORT_DIE, NULL, NULL, NULL, NULL, die},
    {"timeline", CS_REPORT_TIMELINE, NULL, NULL, NULL, NULL, timeline},
    {0},
};
