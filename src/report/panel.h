// SPDX-License-Identifier: Apache-2.0
/* What a report shows, as data: panels, and the SQL that fills them from the truth of a run. A unit's
 * panels stand in its folder of src/report/ (panels.h).
 *
 * Panels of the same id are one: each unit adds queries to it. Title, kind and texts are those of the
 * first. A query whose table the truth has not got is left out, and so is a panel without any row.
 *
 * A query may use these parameters:
 *   :summary  the text of summary.json (or of ways.json)
 *   :last     the cycle in which the run ended
 *   :mhz      bus cycles in a microsecond
 *   :core_mhz core cycles in a microsecond
 *   :step     cycles of a step of a track of load: 10 us, or more where the run is long */
#ifndef CS_REPORT_PANEL_H
#define CS_REPORT_PANEL_H

#include <stdbool.h>

/* How rows go into the page. */
typedef enum cs_report_form {
    CS_REPORT_ROWS, /* as they are: a column each */
    CS_REPORT_CELLS /* (layer, row, cycle, value): means over bins of time, a matrix a layer */
} cs_report_form;

typedef struct cs_report_query {
    const char *name;  /* the page's code knows its columns by it */
    const char *table; /* that must be there; NULL: none */
    const char *sql;
    cs_report_form form;
} cs_report_query;

typedef struct cs_report_panel {
    const char *id;
    unsigned place;    /* panels stand by rising places */
    const char *kind;  /* how it is drawn: page/kind_<kind>.js */
    const char *title; /* NULL: another unit has it */
    const char *about; /* what one sees, a sentence or two */
    const char *unit;  /* of values: "bus cycles", "events per core cycle"; NULL: none */
    const cs_report_query *queries; /* the last has the name NULL */
} cs_report_panel;

/* Places: what belongs together. */
enum {
    CS_REPORT_DIE = 100,
    CS_REPORT_TIMELINE = 200,
    CS_REPORT_ESTIMATES = 300,
    CS_REPORT_FIGURES = 400,
    CS_REPORT_TRACKS = 500,
    CS_REPORT_CELL_MAPS = 600,
    CS_REPORT_FUNCTIONS = 700,
    CS_REPORT_SPREAD = 800,
    CS_REPORT_BUS = 900,
};

#endif
