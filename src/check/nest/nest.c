// SPDX-License-Identifier: Apache-2.0
/* The nest: its window of memory, and its timelines. */
#include "formats/imc/read/nest.h"
#include "check/checker.h"
#include "check/imc/imc.h"

#define VERSION 0x2fc00
#define CONTROL 0x3fc00
#define WINDOW 0x40000

static cs_status check_window(cs_checking *check)
{
    static const char name[] =
        "'nest'||CASE i.number WHEN 0 THEN '' ELSE ' of chip '||i.number END";
    char other[160];

    /* The block through which it is controlled is software's, too. */
    snprintf(other, sizeof other,
             "DELETE FROM rest WHERE offset%%%d=%d OR (offset%%%d>=%d AND offset%%%d<%d)", WINDOW,
             VERSION, WINDOW, CONTROL, WINDOW, (int)(CONTROL + CS_IMC_CONTROL_BYTES));
    return cs_check_imc_posted(check, "nest-imc", name, other);
}

const cs_checker cs_checker_nest_image = {.check = check_window};

/* ---- timelines ---- */

static const cs_timeline_kind kinds[] = {
    {"state", .ctf = "nest_state"},
    {"posting", .ctf = "posting", 'X', "posting", "cycles", "number"},
};

static const cs_timeline_comparison comparisons[] = {
    {130,
     "postings",
     "time, cycles, number, addr, bytes, resp",
     {.kind = "posting", .group = "'group '||of_group", .ends = true},
     "SELECT 'group '||nest_group AS grp, NULL AS cpu, $T(start) AS time, stop-start AS cycles, "
     "number, address AS addr, bytes, response AS resp$U(stop) FROM truth.posting",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ROWS},
};

static const char *const resolve_perfetto[] = {
    "UPDATE ev SET of_group=CAST(substr(track,19) AS INTEGER) WHERE kind='posting' AND track LIKE "
    "'postings of group %'",
    NULL};

const cs_check_family cs_check_nest = {.kinds = kinds,
                                       .nr_kinds = sizeof kinds / sizeof kinds[0],
                                       .comparisons = comparisons,
                                       .nr_comparisons = sizeof comparisons / sizeof comparisons[0],
                                       .resolve_perfetto = resolve_perfetto};
