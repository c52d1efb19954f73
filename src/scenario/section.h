/* Internal to scenario: a section, which is the keys that belong to one thing, and all that a
 * scenario says of it. It stands in a folder of that thing; sections.h has the list. A hook that
 * is NULL has nothing to do. */
#ifndef CS_SCENARIO_SECTION_H
#define CS_SCENARIO_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/stream/events.h"
#include "base/stream/stream.h"
#include "scenario/keys.h"
#include "scenario/work/workload_spec.h"
#include "scenario/yaml/suggest.h"
#include "scenario/yaml/yaml.h"

#define CS_MAX_IMPLICIT 4u
#define CS_WHY_BYTES 160u
#define CS_MAX_SECTION_AREAS 4u

struct cs_check;
struct cs_die;
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

/* A kind of CPU. */
typedef struct cs_cpu_class {
    const char *name; /* "a hart" */
    unsigned (*count)(const struct cs_scenario *s);
    size_t (*keys)(const struct cs_scenario *s, char *out, size_t size); /* that say how many */
    cs_mode work, idle, handler;         /* its modes, where none is given */
    bool (*owns_mode)(const char *name); /* is it one of its modes? */
    bool (*has_mode)(const struct cs_scenario *s, cs_mode mode); /* NULL: all of its modes */
    cs_mode least_mode; /* of one that has not the mode that is meant */
    /* What its timelines have beside the workload; NULL: a handler. */
    const struct cs_cpu_track {
        const char *name;
        cs_mode mode;
    } * tracks;
    size_t nr_tracks;
    /* `idle`: of a CPU without a workload, or that waits. */
    size_t (*implicit)(const struct cs_scenario *s, bool idle,
                       cs_implicit_event out[CS_MAX_IMPLICIT]);
    bool waits;              /* a segment may be one in WFI */
    unsigned most_increment; /* in a bus cycle; 0: CS_NARROW_INCREMENT */
    uint32_t first_event;    /* what its event 0 is in timelines */
    const uint16_t *(*event_of)(const struct cs_scenario *s); /* NULL: each event its own */
} cs_cpu_class;

/* Things that count and are no CPUs. */
typedef struct cs_unit_class {
    unsigned timeline; /* of number 0: CS_MAX_CPUS + .. */
    unsigned (*count)(const struct cs_scenario *s);
    const cs_segment_spec *(*segments)(const struct cs_scenario *s, unsigned number, size_t *nr);
    void (*path)(unsigned number, char *out, size_t size); /* of its segments' key */
    uint32_t first_event;                                  /* CS_EVENT_SPACE of them are its own */
    bool numbered;                                         /* its events are named "<section>:N" */
    bool clock;         /* event 0 is the bus clock, and counts unless it is named */
    const char *other;  /* "a nest event; those go to nest.segments" */
    const char *wanted; /* what an event of the cores is there; NULL: "an event of the cores" */
} cs_unit_class;

/* What runs on the CPU port and is configured by the section. */
typedef struct cs_software_rule {
    unsigned kind;        /* CS_SOFTWARE_.. */
    const char *name;     /* of software.kind */
    bool alone;           /* beside no other */
    const char *needs[3]; /* sections that must be given, ended by NULL */
} cs_software_rule;

/* Registers that a script may name, as "<section>.NAME". */
typedef struct cs_register_names {
    /* The address on the bus; false where there is none of this name. Last words of names are
     * offered to *suggest. */
    bool (*address)(const struct cs_scenario *s, const char *name, uint64_t *addr,
                    cs_suggest *suggest);
    /* "the PMCU has", before "no register X". */
    void (*owner)(const struct cs_scenario *s, char *out, size_t size);
    bool whole; /* a name that is near is a whole one */
} cs_register_names;

typedef struct cs_section {
    const char *name;
    const cs_key *keys; /* at the top of the scenario */
    size_t nr_keys;
    const char *was; /* its key's name in former versions; NULL: it had no other */
    size_t bytes;    /* of its structure, cs_<name>_spec; 0: the keys go into cs_scenario itself */
    const cs_cpu_class *cpus;         /* NULL: it brings no CPUs */
    const cs_unit_class *units;       /* likewise */
    const cs_software_rule *software; /* not NULL: check, warn, least_cycles and areas are for it
                                          alone */
    /* Before any key is read: defaults that depend on which keys there are. */
    void (*prepare)(struct cs_scenario *s, cs_yaml_node *root);
    /* What follows from other keys, where it is not given. */
    void (*compute)(struct cs_check *check);
    cs_status (*check)(struct cs_check *check);
    /* What is allowed but hardly meant. */
    cs_status (*warn)(struct cs_check *check);
    /* That its software takes at least, if it runs; the largest of all sections counts. */
    uint64_t (*least_cycles)(const struct cs_scenario *s);
    size_t (*areas)(const struct cs_scenario *s, cs_area out[CS_MAX_SECTION_AREAS]);
    /* What is effective of it, in a line for people; an empty one says nothing. */
    void (*tell)(const struct cs_scenario *s, char *out, size_t size);
    /* Its managers, targets and size on the die; those of former sections stand before them. */
    void (*die)(const struct cs_scenario *s, struct cs_die *die);
    /* An event by name. False: it is none of this section's, or there is a reason in `why`. */
    bool (*event)(const struct cs_scenario *s, const char *name, uint32_t *number,
                  char why[CS_WHY_BYTES]);
    /* Every name that `event` knows. */
    void (*offer_events)(const struct cs_scenario *s, cs_suggest *suggest);
    const cs_register_names *registers; /* NULL: a script cannot name any */
} cs_section;

#endif
