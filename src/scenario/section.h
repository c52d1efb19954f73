// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario: a section, which is the keys that belong to one thing, and all that a
 * scenario says of it. It stands in a folder of that thing; sections.h has the list. A hook that
 * is NULL has nothing to do. */
#ifndef CS_SCENARIO_SECTION_H
#define CS_SCENARIO_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/keys.h"
#include "scenario/work/measured.h"
#include "scenario/work/workload_spec.h"
#include "scenario/yaml/suggest.h"
#include "scenario/yaml/yaml.h"
#include <countersink/base/diag.h>
#include <countersink/base/stream/events.h>
#include <countersink/base/stream/stream.h>
#include <countersink/base/stream/timeline.h>

#define CS_MAX_IMPLICIT 4u
#define CS_WHY_BYTES 160u
#define CS_MAX_SECTION_AREAS 4u

struct cs_check;
struct cs_die;
struct cs_memory;
struct cs_perf_owner;
struct cs_scenario;

/* Memory that is written; `key` says where it lies. */
typedef struct cs_area {
    const char *key;
    const char *what;
    uint64_t base, bytes;
} cs_area;

/* An event that counts without being named. */
typedef struct cs_implicit_event {
    uint32_t event;
    cs_rate rate;
} cs_implicit_event;

/* What the texts of keys say of a kind of CPU. */
typedef struct cs_cpu_words {
    const char *one;      /* "a thread of an X core" */
    const char *cores;    /* that they belong to: "X cores" */
    const char *all;      /* whose numbers others follow: "the X threads" */
    const char *brief;    /* before the name of its idle mode: "X" */
    const char *task;     /* whose cid1 and cid2 are meant: "an X core's thread" */
    const char *mode;     /* what its modes are: "exception level" */
    const char *cid1;     /* "PID" */
    const char *cid2;     /* NULL: it has none */
    const char *implicit; /* what counts unless given: "X: cycles" */
} cs_cpu_words;

/* Whether a CPU is there. */
typedef enum cs_cpu_state {
    CS_CPU_ONLINE,
    CS_CPU_LOCKED,  /* every access to its PMU is an error */
    CS_CPU_OFFLINE, /* without power */
    CS_CPU_ABSENT
} cs_cpu_state;

/* A kind of CPU. */
typedef struct cs_cpu_class {
    cs_cpu_words words;
    const char *key; /* that says that there are some: "x.cores" */
    unsigned (*count)(const struct cs_scenario *s);
    unsigned (*together)(const struct cs_scenario *s); /* in a cluster, or a core; NULL: 1 */
    size_t (*keys)(const struct cs_scenario *s, char *out, size_t size); /* that say how many */
    cs_cpu_state (*state)(const struct cs_scenario *s, unsigned cpu);    /* NULL: online */
    const char *state_section; /* whose keys are called as the states are */
    const char *manager; /* what it is to the software of other units: "an Arm CPU"; NULL: such
                            software does not run on it */
    bool own_software;   /* where there are no other CPUs, none is needed on the CPU port */
    const cs_key_choice *modes;       /* its modes; the last has no name */
    cs_privilege work, idle, handler; /* where none is given; may be CS_MODE_KERNEL */
    cs_privilege (*kernel_mode)(
        const struct cs_scenario *s); /* what CS_MODE_KERNEL is; NULL: not used */
    /* Whether the kernel keeps the process in cid2, not in cid1. NULL: never. */
    bool (*pid_in_cid2)(const struct cs_scenario *s);
    bool (*has_mode)(const struct cs_scenario *s, cs_privilege mode); /* NULL: all of its modes */
    cs_privilege least_mode; /* of one that has not the mode that is meant */
    const char *no_mode;     /* the error for one that it has not */
    bool (*is_kernel)(const struct cs_scenario *s, cs_privilege mode, uint64_t address);
    bool (*is_guest)(cs_privilege mode); /* whose perf is another one; NULL: none is */
    /* What its timelines have beside the workload; NULL: a handler. */
    const struct cs_cpu_track {
        const char *name;
        cs_privilege mode;
    } * tracks;
    size_t nr_tracks;
    /* `idle`: of a CPU without a workload, or that waits. */
    size_t (*implicit)(const struct cs_scenario *s, bool idle,
                       cs_implicit_event out[CS_MAX_IMPLICIT]);
    /* When a CPU of them is without power, in rising order; how often. `out` NULL: only that. NULL:
     * none ever is. */
    size_t (*off)(const struct cs_scenario *s, unsigned cpu, cs_timeline_off out[]);
    /* Whether it is the system that has taken away a CPU that is without power at `cycle`; with `off`. */
    bool (*taken_away)(const struct cs_scenario *s, unsigned cpu, uint64_t cycle);
    bool waits;              /* a segment may be one in WFI */
    bool masks;              /* a segment may be one with interrupts off */
    unsigned most_increment; /* in a bus cycle; 0: CS_NARROW_INCREMENT */
    const char *prefix;      /* "x": its events are also "x:N"; NULL: they are not */
    uint32_t first_event;    /* what its event 0 is in timelines */
    const uint16_t *(*event_of)(const struct cs_scenario *s); /* NULL: each event its own */
    const cs_measured_event *measured; /* what its events count of a program; NULL: nothing */
} cs_cpu_class;

/* Things that count and are no CPUs. */
typedef struct cs_unit_class {
    unsigned timeline; /* of number 0: CS_MAX_CPUS + .. */
    unsigned more;     /* of number 1, others behind it; 0: behind number 0 */
    unsigned (*count)(const struct cs_scenario *s);
    const cs_segment_spec *(*segments)(const struct cs_scenario *s, unsigned number, size_t *nr);
    /* Of its segments' key. */
    void (*path)(const struct cs_scenario *s, unsigned number, char *out, size_t size);
    uint32_t first_event; /* CS_EVENT_SPACE of them are its own */
    bool numbered;        /* its events are named "<section>:N" */
    /* What counts unless it is named. NULL: nothing. */
    size_t (*implicit)(const struct cs_scenario *s, cs_implicit_event out[CS_MAX_IMPLICIT]);
    const char *other;  /* "an event of X; those go to x.segments" */
    const char *wanted; /* what an event of the cores is there; NULL: "an event of the cores" */
} cs_unit_class;

static inline unsigned cs_unit_timeline(const cs_unit_class *units, unsigned number)
{
    return number == 0 || units->more == 0 ? units->timeline + number : units->more + number - 1;
}

/* What runs on the CPU ports and is configured by the section. */
typedef struct cs_software_rule {
    unsigned kind;    /* CS_SOFTWARE_.. (software_kinds.h) */
    bool alone;       /* beside no other */
    bool chooses_cpu; /* software.cpu means nothing to it */
    /* Whether a task of it may run on the CPU: it has a port then (machine/ports.h). NULL: its work
     * for all CPUs is done by one port. */
    bool (*runs_on)(const struct cs_scenario *s, unsigned cpu);
    const char *needs[3]; /* sections that must be given, ended by NULL */
} cs_software_rule;

/* Registers that a script may name, as "<section>.NAME". */
typedef struct cs_register_names {
    /* The address on the bus; false where there is none of this name. Last words of names are
     * offered to *suggest. */
    bool (*address)(const struct cs_scenario *s, const char *name, uint64_t *addr,
                    cs_suggest *suggest);
    /* "the X has", before "no register Y". */
    void (*owner)(const struct cs_scenario *s, char *out, size_t size);
    bool whole;        /* a name that is near is a whole one */
    const char *forms; /* for people: "x.CORE.REGISTER" */
    /* All names, NULL after the last; or a regular expression for them. */
    const char *(*name)(size_t index);
    const char *pattern;
} cs_register_names;

/* What a section has to say of a key of another: it stands behind the key's text. */
typedef struct cs_key_note {
    const char *key; /* "bus.clock_mhz"; NULL after the last */
    const char *text;
} cs_key_note;

/* A key with two names: of the unit that has it, and a general one. */
typedef struct cs_key_twin {
    const char *general; /* "cores.clock_mhz"; NULL after the last */
    const char *unit;
} cs_key_twin;

/* perf commands that the section configures (perf_commands.h). */
typedef struct cs_section_commands {
    unsigned (*count)(const struct cs_scenario *s); /* NULL: it is one, the section itself */
    uint64_t (*period)(const struct cs_scenario *s, unsigned number); /* NULL: they count */
    uint64_t (*interval_us)(const struct cs_scenario *s,
                            unsigned number); /* NULL: they have none */
    /* Samples a second that perf looks for a period of; NULL, 0: the period is fixed. */
    uint64_t (*frequency)(const struct cs_scenario *s, unsigned number);
    /* perf's core may stop events that have too many samples, and the software tells it
     * (drivers/told.h); NULL: never. */
    bool (*throttles)(const struct cs_scenario *s);
} cs_section_commands;

/* A register at an offset, as its unit's page has it. */
typedef struct cs_unit_register {
    const char *name;
    uint32_t offset, count, stride; /* count: of those that lie `stride` apart */
    const char *access;
    uint64_t reset;
    const char *text;
} cs_unit_register;

#define CS_UNIT_REGISTER(NAME, OFFSET, COUNT, STRIDE, BITS, ACCESS, RESET, TEXT)                   \
    {#NAME, OFFSET, COUNT, STRIDE, ACCESS, RESET, TEXT},

/* A register that is reached by another number than an offset, or a word in memory. */
typedef struct cs_unit_place {
    const char *name;
    const char *where; /* "SCOM 0x10012200", of the first of its kind */
    const char *access;
    const char *text;
    const char *fields; /* "0 ENABLE, 4:6 SCOPE": bits from the top; NULL: none */
} cs_unit_place;

/* The unit that the section configures, as `list` tells of it. */
typedef struct cs_unit_page {
    const char *unit; /* "x" */
    const char *about;
    const char *page;                  /* of docs/hw/ */
    const cs_unit_register *registers; /* the last has no name; NULL: none at offsets */
    const cs_unit_place *places;       /* likewise; NULL: none elsewhere */
    /* Which variant of its registers the scenario has (docs/hw/points/); NULL: there is one. */
    const char *(*variant)(const struct cs_scenario *s);
} cs_unit_page;

/* The events that have names of their own. */
typedef struct cs_event_names {
    const char *prefix; /* before their numbers: "x:"; "": none */
    /* The name of the nr'th, by rising numbers; NULL: there are no more. */
    const char *(*at)(size_t nr, uint32_t *number);
} cs_event_names;

typedef struct cs_section {
    const char *name;
    const cs_key *keys; /* at the top of the scenario */
    size_t nr_keys;
    const char *was; /* its key's name in former versions; NULL: it had no other */
    size_t bytes;    /* of its structure, cs_<name>_spec; 0: the keys go into cs_scenario itself */
    const cs_cpu_class *cpus;         /* NULL: it brings no CPUs */
    const cs_unit_class *units;       /* likewise */
    const cs_software_rule *software; /* not NULL: check, warn, least_cycles, areas and commands are
                                          for it alone */
    const cs_section_commands *commands; /* NULL: none */
    const struct cs_perf_owner *perf; /* how it takes commands of section perf; NULL: it does not */
    /* Once, before any scenario: texts and choices of keys that are made of what other sections say. */
    void (*make_keys)(void);
    const cs_key_note *notes; /* NULL: none */
    const cs_key_twin *twins; /* NULL: none */
    /* Before any key is read: defaults that depend on which keys there are, and names that were. */
    cs_status (*prepare)(struct cs_scenario *s, cs_yaml *memory, cs_yaml_node *root, cs_diag *diag);
    void (*destroy)(struct cs_scenario *s); /* what is no memory of the document's */
    /* What follows from other keys, where it is not given. */
    void (*compute)(struct cs_check *check);
    cs_status (*check)(struct cs_check *check);
    /* CS_ERR_SCENARIO where the scenario is not one to simulate. */
    cs_status (*unsimulated)(const struct cs_scenario *s, cs_diag *diag);
    /* What is allowed but hardly meant. */
    cs_status (*warn)(struct cs_check *check);
    /* That its software takes at least, if it runs; the largest of all sections counts. */
    uint64_t (*least_cycles)(const struct cs_scenario *s);
    size_t (*areas)(const struct cs_scenario *s, cs_area out[CS_MAX_SECTION_AREAS]);
    /* What is effective of it, in a line for people; an empty one says nothing. */
    void (*tell)(const struct cs_scenario *s, char *out, size_t size);
    /* Its managers, targets and size on the die; those of former sections stand before them. */
    void (*die)(const struct cs_scenario *s, struct cs_die *die);
    /* What lies in its memory, which is zero, when the run begins. */
    cs_status (*lay)(const struct cs_scenario *s, struct cs_memory *memory);
    /* An event by name. False: it is none of this section's, or there is a reason in `why`. */
    bool (*event)(const struct cs_scenario *s, const char *name, uint32_t *number,
                  char why[CS_WHY_BYTES]);
    const char *const *event_patterns; /* of other names, as regular expressions, ended by NULL */
    /* Names that depend on the scenario. */
    void (*offer_events)(const struct cs_scenario *s, cs_suggest *suggest);
    const cs_register_names *registers; /* NULL: a script cannot name any */
    const cs_unit_page *unit;           /* NULL: it is of none */
    const cs_event_names *names;        /* NULL: its events have none, or a file says them */
} cs_section;

#endif
