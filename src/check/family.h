// SPDX-License-Identifier: Apache-2.0
/* Internal to check: what must be known of a system's own, beside what all have. It is a perf command's family
 * with its tables of the truth, or a unit with its timelines, or both. Each stands in a folder of its name;
 * families.h has the list. What is NULL or 0 there is none of. */
#ifndef CS_CHECK_FAMILY_H
#define CS_CHECK_FAMILY_H

#include "check/impl.h"
#include "check/timeline/timeline.h"
#include "formats/perf/read/parts.h"
#include "scenario/section.h"

/* Of several families in one table the commands are numbered apart: command 0 is CS_CHECK_COMMANDS times
 * the family's place. */
#define CS_CHECK_COMMANDS 1000000

/* Its samples of perf. */
typedef struct cs_check_sampled {
    /* A SELECT of them: columns seq (rising in the order in which they were taken), command, event,
     * cpu, time, ip, pid, misc, guest (its perf was), period (NULL: the command's), chain. */
    const char *rows;
    const char *(*rows_of)(const cs_scenario *scenario); /* where it depends; NULL: rows */
    const char *table; /* the truth has it where there are some; NULL: they are in one of all */
    /* Of `time`: ticks in a microsecond, and what it is at cycle 0. NULL: cycles. */
    void (*clock)(const cs_scenario *scenario, int64_t *mhz, int64_t *start);
    /* The expression of misc in a perf.data of several commands; NULL: as it is in the truth. */
    void (*mode)(const cs_scenario *scenario, char *out, size_t bytes);
    /* They lie in rings until perf reads them: where the run was cut some have not been read. */
    bool rings;
} cs_check_sampled;

/* Its counts in a table of the truth that several families have. */
typedef struct cs_check_counted {
    const char *own;  /* the condition of its rows; NULL: those of no other family */
    const char *name; /* the expression of an event's name */
} cs_check_counted;

/* What is its own in a perf.data file. */
typedef struct cs_check_perf {
    /* *state NULL: nothing; then nothing else is called. `close` is after a failure, too. */
    cs_status (*open)(cs_checking *check, void **state);
    /* Looks at a record. *taken: nobody else need. */
    cs_status (*record)(void *state, const cs_perfread *reader, const cs_perfread_record *record,
                        bool *taken);
    /* All has been read; the reader is closed then. */
    cs_status (*finish)(void *state, const cs_perfread *reader);
    /* Compares; what it takes out of table found is no sample for others. `samples`: whether there
     * were any in the file. *done: there is nothing else to compare. */
    cs_status (*compare)(void *state, bool samples, bool *done);
    void (*close)(void *state);
    /* The same of a file of counts, table stat; NULL: it has none of its own. */
    cs_status (*counts)(void *state, bool *done);
} cs_check_perf;

/* Where the record is; of compressed records the byte in what has been unpacked. */
static inline int64_t cs_check_place_of(const cs_perfread_record *record)
{
    return (int64_t)(record->packed ? record->place : record->offset);
}

typedef struct cs_check_family {
    const cs_section *const *sections; /* whose perf commands are its own; ended by NULL */
    unsigned place; /* of its samples: they come by rising places, and no two have the same */
    const cs_check_sampled *sampled;
    const cs_check_counted *counted; /* in table count */
    /* The socket of a CPU, by which perf may add counts up; false: it has none. */
    bool (*socket)(const cs_scenario *scenario, unsigned cpu, unsigned *socket);
    const cs_check_counted *rotated; /* in table rotated */
    /* Adds to table want what it has in a table of samples, beside those of perf. */
    cs_status (*tabled)(cs_checking *check);
    const cs_check_perf *perf;
    /* What is told of samples of a perf.data, after they have been compared. */
    cs_status (*shares)(cs_checking *check);
    /* Of timelines. */
    const cs_timeline_kind *kinds;
    size_t nr_kinds;
    const cs_timeline_comparison *comparisons;
    size_t nr_comparisons;
    const char *comparisons_of;          /* they are where the truth has this table; NULL: always */
    const char *prepare;                 /* a statement before the first of them; NULL: none */
    const char *const *resolve_ctf;      /* statements on table ev; the last is NULL */
    const char *const *resolve_perfetto; /* on ev and process, whose tracks are known */
} cs_check_family;

#endif
