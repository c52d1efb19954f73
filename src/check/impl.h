// SPDX-License-Identifier: Apache-2.0
/* Internal to check: a database in which what a file says stands beside the truth, so that a
 * comparison is a query. */
#ifndef CS_CHECK_IMPL_H
#define CS_CHECK_IMPL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "check/check.h"
#include "formats/common/input.h"
#include "scenario/scenario.h"

typedef struct cs_checking {
    const cs_check_request *request;
    sqlite3 *db; /* the truth is attached as "truth" */
    cs_input in;
    cs_scenario *scenario; /* the run's; NULL: nobody has asked for it */
    cs_table table;
    bool opened;    /* the truth is of a program under `countersink pmu` */
    bool starved;   /* there was no memory for a text */
    bool headed;    /* its columns have been named */
    bool partial;   /* the file has only some CPUs and commands: the rest is not missing */
    bool intervals; /* the file has counts of perf stat -I */
    uint64_t rows;
    uint64_t good_rows;
    uint64_t bad_rows;
    char unknown[96]; /* why nobody can say, of the first row of that kind */
    cs_status damage; /* the file could not be read to its end */
    cs_diag damage_diag;
    cs_diag *diag;
} cs_checking;

/* The number that was given; `otherwise` where none was. */
int64_t cs_check_given_number(const cs_checking *check, const cs_format_option *option,
                              int64_t otherwise);

/* The SQL function rows_hash (rows_hash.c). */
cs_status cs_check_add_rows_hash(cs_checking *check);
/* Makes sum() exact (exact_sum.c). */
cs_status cs_check_add_exact_sum(cs_checking *check);
/* The SQL function as_double (timeline/perfetto.c). */
cs_status cs_check_add_as_double(cs_checking *check);

/* Statements without a result; CS_ERR_IO with SQLite's words. */
cs_status cs_check_do(cs_checking *check, const char *sql);

/* A prepared statement; to be finalized. */
cs_status cs_check_prepare(cs_checking *check, const char *sql, sqlite3_stmt **out);

/* Binds a text, of `bytes` bytes (-1: to its end). Where there is no memory for it cs_check_insert fails. */
void cs_check_text(cs_checking *check, sqlite3_stmt *insert, int at, const char *text, int bytes);

/* Binds integers to ?1 .. and steps it once, as an INSERT. */
cs_status cs_check_insert(cs_checking *check, sqlite3_stmt *insert, const int64_t *values,
                          unsigned nr_values);

/* As cs_check_do, of a statement that was put together; frees it. */
cs_status cs_check_do_text(cs_checking *check, sqlite3_str *sql);
cs_status cs_check_do_all(cs_checking *check, const char *const statements[], size_t nr_statements);

#define CS_CHECK_DO_ALL(check, statements)                                                         \
    cs_check_do_all(check, statements, sizeof(statements) / sizeof((statements)[0]))

/* One integer. *number stays what it is where there is no row, or NULL in it. CS_ERR_IO as
 * cs_check_do. */
cs_status cs_check_number(cs_checking *check, const char *sql, int64_t *number);

/* Whether the number, as of SELECT count(*), is there and not 0. */
cs_status cs_check_any(cs_checking *check, const char *sql, bool *any);

/* The clock of the bus in the run. CS_ERR_FORMAT where the truth has none. */
cs_status cs_check_clock(cs_checking *check, int64_t *mhz);

/* Prints a row for each of the query: what, event, cpu (NULL: all), expected, found, differ, bound,
 * first. A row with `differ` > 0 disagrees; of one with NULL nobody can say, and the bound is "none: "
 * and why (any other: there was nothing to compare). */
cs_status cs_check_rows(cs_checking *check, const char *sql);

/* The statements of sql/<name>.sql, one after the other; what selects prints rows, as above. */
cs_status cs_check_script(cs_checking *check, const char *name);

/* Bytes of an event's name without its modifiers, as in "cycles:u". */
size_t cs_check_name_bytes(const char *name);

/* CS_ERR_IO: a file of the truth, after fopen has failed. */
cs_status cs_check_cannot_open(cs_checking *check, const char *path);
/* Whether limit_cycles ended the run, by its summary.json. */
cs_status cs_check_was_cut(cs_checking *check, bool *cut);
/* A row that says that of `all` only `kept` were handed over, if they were not all. */
cs_status cs_check_left_over(cs_checking *check, int64_t all, int64_t kept);
/* Takes out of table want what the software had not handed over when the run ended; a row, if there is
 * any. */
cs_status cs_check_leave(cs_checking *check, const char *sql);

/* What `trace` was asked for, by its trace.json beside the truth: "command", the one perf command, or
 * "format"; "": it is not said. */
cs_status cs_check_written(cs_checking *check, const char *key, char *text, size_t bytes);
/* Whether the truth has each sample (keep.samples_truth). Where it has none, a row says so, with how many of
 * table `have` nobody can judge. */
cs_status cs_check_has_samples(cs_checking *check, const char *have, bool *has);
/* The run's scenario, loaded when it is first asked for: what the run folder has of it. Errors of
 * cs_scenario_load. */
cs_status cs_check_load(cs_checking *check, const cs_scenario **out);

/* The file, for a reader. */
cs_byte_source cs_check_source(cs_checking *check);

/* A reader's status that ends the reading: damage is remembered, all else handed on. */
cs_status cs_check_ended(cs_checking *check, cs_status status, const cs_diag *diag);

/* ---- command.c ---- */

struct cs_check_family;

/* The one perf command that the file is of. */
typedef struct cs_check_only {
    const struct cs_check_family *family; /* NULL: none is named, the file is of all */
    int64_t number;                       /* of the commands of its section; -1: of all of them */
} cs_check_only;

/* CS_ERR_RANGE: there can be no command of that name. */
cs_status cs_check_only_of(cs_checking *check, cs_check_only *out);
/* The condition of the family's rows of the truth that are meant, by their column `command`; false:
 * none of them is. */
bool cs_check_means(const cs_check_only *only, const struct cs_check_family *family, char *sql,
                    size_t bytes);

/* ---- told.c ---- */

/* Table `out` of those rows of the truth's table count, or rotated, that are meant: seq (their order),
 * title (the event's name in a table; perf's files leave the last slash out), and all that the row
 * has. *any: there is something to compare them with, and the table. */
cs_status cs_check_counts_told(cs_checking *check, bool rotated, const char *out, bool *any);

/* ---- opened.c ---- */

/* A perf.data of events that a program opened under `countersink pmu`: samples of table found, or counts of
 * table stat, by the events' ids in table ids. */
cs_status cs_check_opened(cs_checking *check, bool counts);
/* Type and config of "pmu/term=1,name/", by the words that the truth has of the PMU. *known: of each of its
 * terms; else nothing is said. */
cs_status cs_check_opened_event(cs_checking *check, const char *name, bool *known, int64_t *type,
                                int64_t *config);
/* What `perf stat -x,` or `-j` has printed there: table text, by the events' types and configs. */
cs_status cs_check_opened_text(cs_checking *check);

/* ---- sampled.c ---- */

/* Table sampled(seq, command, event, ring, cpu, time, ip, pid, misc, mode, guest, period, chain) of the
 * samples of perf that are meant, as check/family.h has them; mode: misc as it is in the truth. */
typedef struct cs_check_sampled_how {
    const struct cs_check_family *of; /* NULL: of all */
    bool ns;                          /* times are nanoseconds, not as the software had them */
    bool mixed; /* misc is that of a perf.data of several commands, where none is named */
} cs_check_sampled_how;
cs_status cs_check_samples_told(cs_checking *check, const cs_check_sampled_how *how);

/* Columns of a table want of samples as a file without perf's events has them: times are nanoseconds.
 * Either `command` and `event` tell the event, or `grp` its name. */
#define CS_CHECK_TABLED                                                                            \
    "seq INTEGER, guest INTEGER, command INTEGER, event INTEGER, ring INTEGER, grp TEXT, cpu "     \
    "INTEGER, time INTEGER, pid INTEGER, mode INTEGER, ip INTEGER, period INTEGER, chain TEXT"
/* Fills it. */
cs_status cs_check_tabled_samples(cs_checking *check);

/* ---- comparisons of perf.data ---- */

cs_status cs_check_counts(cs_checking *check); /* counts.c: table stat */
/* rotated.c: takes from table stat what belongs to events that had counters in turns. */
cs_status cs_check_rotated(cs_checking *check);

/* samples.c: table found(offset, event, cpu, time, ip, pid, misc, period, chain) against the samples
 * of the truth. */
cs_status cs_check_samples(cs_checking *check, const cs_check_sampled_how *how);
/* switches.c: tables switched(offset, cpu, time, gone, pid, other) and about(cpu) against the
 * switches of the truth; after cs_check_samples. */
cs_status cs_check_switches(cs_checking *check);
/* throttles.c: table throttled(offset, cpu, time, stopped) against the truth, where it has such a table. */
cs_status cs_check_throttles(cs_checking *check);
/* same.c: a row for each grp and cpu of tables want(grp, cpu, COLUMNS) and have(place, offset,
 * grp, cpu, COLUMNS), which must have the same rows. */
cs_status cs_check_same(cs_checking *check, const char *what, const char *columns);

/* run.c: table said(manager, transactions, bytes, errors, wait, held) of summary.json, and what
 * it says of software, in ns; -1: nothing. */
cs_status cs_check_summary(cs_checking *check, int64_t *software_ns);

/* images.c: table found(offset, value), the file's doublewords that are not 0, and table image(number,
 * place, address, bytes), the run's images of the format, which the file must be. */
cs_status cs_check_images(cs_checking *check, const char *format, bool big);

#endif
