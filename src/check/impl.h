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

typedef struct cs_check {
    const cs_check_request *request;
    sqlite3 *db; /* the truth is attached as "truth" */
    cs_input in;
    cs_scenario *scenario; /* the run's; NULL: nobody has asked for it */
    cs_table table;
    bool headed;    /* its columns have been named */
    bool cut_short; /* the run ended with an error, and the driver kept its last samples back */
    bool partial;   /* the file has only some CPUs and commands: the rest is not missing */
    bool intervals; /* the file has counts of perf stat -I */
    uint64_t rows;
    uint64_t bad_rows;
    cs_status damage; /* the file could not be read to its end */
    cs_diag damage_diag;
    cs_diag *diag;
} cs_check;

/* Statements without a result; CS_ERR_IO with SQLite's words. */
cs_status cs_check_do(cs_check *check, const char *sql);

/* A prepared statement; to be finalized. */
cs_status cs_check_prepare(cs_check *check, const char *sql, sqlite3_stmt **out);

/* Binds integers to ?1 .. and steps it once, as an INSERT. */
cs_status cs_check_insert(cs_check *check, sqlite3_stmt *insert, const int64_t *values,
                          unsigned nr_values);

/* One integer; `otherwise` where there is no row. */
int64_t cs_check_number(cs_check *check, const char *sql, int64_t otherwise);

/* The clock of the bus in the run. CS_ERR_FORMAT where the truth has none. */
cs_status cs_check_clock(cs_check *check, int64_t *mhz);

/* Prints a row for each of the query: what, event, cpu (NULL: all), expected, found, differ, bound,
 * first. A row with `differ` > 0 disagrees. */
cs_status cs_check_rows(cs_check *check, const char *sql);

/* Bytes of an event's name without its modifiers, as in "cycles:u". */
size_t cs_check_name_bytes(const char *name);

/* limit_cycles ended the run. */
bool cs_check_was_cut(const cs_check *check);
/* Takes out of table want what the software had not handed over when the run ended; a row, if there is
 * any. */
cs_status cs_check_leave(cs_check *check, const char *sql);

/* The perf command that `trace` was asked for, by its trace.json beside the truth; false: all of them. */
bool cs_check_written_command(cs_check *check, char *name, size_t bytes);
/* The run's scenario, loaded when it is first asked for: what the run folder has of it. Errors of
 * cs_scenario_load. */
cs_status cs_check_load(cs_check *check, const cs_scenario **out);
/* Table fn(name, base, size) of the functions of the scenario's workloads. */
cs_status cs_check_functions(cs_check *check);

/* The file, for a reader. */
cs_byte_source cs_check_source(cs_check *check);

/* A reader's status that ends the reading: damage is remembered, all else handed on. */
cs_status cs_check_ended(cs_check *check, cs_status status, const cs_diag *diag);

/* The lists of perf commands that --command can name one of. */
typedef enum cs_check_list {
    CS_CHECK_ALL, /* none is named */
    CS_CHECK_HARTS,
    CS_CHECK_IMC,
    CS_CHECK_UNCORE,
    CS_CHECK_MULTIPLEX,
    CS_CHECK_PMI
} cs_check_list;

/* command.c: the list and the number in it, -1 where it has none. CS_ERR_RANGE: no such command. */
cs_status cs_check_command(cs_check *check, cs_check_list *list, int64_t *number);

/* aux.c: a PMCU's AUX data, wherever they are. */
cs_status cs_check_pmcu_bytes(cs_check *check, const cs_byte_source *source);
cs_status cs_check_counts(cs_check *check); /* counts.c: table stat */
/* rotated.c: takes from table stat what belongs to events that had counters in turns. */
cs_status cs_check_rotated(cs_check *check);

/* Commands in the tables of samples.c: command 0 of harts. */
#define CS_CHECK_HARTS_FROM 1000000
/* samples.c: table found(offset, event, cpu, time, ip, pid, misc, period, chain) against the samples
 * of the truth, whose times are `ns` or as the driver had them. */
cs_status cs_check_samples(cs_check *check, bool ns);
/* The truth of IMC's samples and of interrupts has no periods: fills in column period of table want where it is
 * NULL, by `command` (the column of that number), as the scenario has it. */
cs_status cs_check_periods(cs_check *check, const char *command);
/* switches.c: tables switched(offset, cpu, time, gone, pid, other) and about(cpu) against the
 * switches of the truth; after cs_check_samples. */
cs_status cs_check_switches(cs_check *check);
/* Views kept_sample, kept_subsample and kept_window of the truth: all of it, or where the run ended
 * with an error the first `subsamples`: the driver does not hand over what it got last. */
cs_status cs_check_kept(cs_check *check, int64_t subsamples);

/* same.c: a row for each grp and cpu of tables want(grp, cpu, COLUMNS) and have(place, offset,
 * grp, cpu, COLUMNS), which must have the same rows. */
cs_status cs_check_same(cs_check *check, const char *what, const char *columns);

/* run.c: table said(manager, transactions, bytes, errors, wait, held) of summary.json, and what
 * it says of software, in ns; -1: nothing. */
cs_status cs_check_summary(cs_check *check, int64_t *software_ns);

/* stock.c: tables found, names and raw(subsample, cpu, position, value, offset) against a
 * PMCU's values. */
cs_status cs_check_stock(cs_check *check, int64_t subsamples);
/* paths.c: shares of call paths in found, after cs_check_samples. */
cs_status cs_check_paths(cs_check *check);
/* functions.c: shares of functions in found. */
cs_status cs_check_shares(cs_check *check);

#endif
