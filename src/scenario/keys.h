// SPDX-License-Identifier: Apache-2.0
/* Every key that a scenario may have, as tables, one per section: where it stands, what it may
 * be, what it is when it is left out, what it means, and where its value goes.
 * Loader, list, JSON Schema and the table in docs/scenarios.md all come from it. */
#ifndef CS_SCENARIO_KEYS_H
#define CS_SCENARIO_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_key_type {
    CS_KEY_MAP,         /* of the keys of `shape` */
    CS_KEY_LIST,        /* of maps of the keys of `shape`; min..max of them */
    CS_KEY_NUMBER,      /* decimal or 0x..., min..max, a multiple of `step` */
    CS_KEY_SIZE,        /* the same, or "64 KiB", MiB, GiB */
    CS_KEY_TIME,        /* "60us", "1.5ms", "2s": whole microseconds, min..max */
    CS_KEY_FLAG,        /* true, false */
    CS_KEY_CHOICE,      /* one of `choices` */
    CS_KEY_CHOICES,     /* one of `choices`, or a list of them, each once: bits by their values */
    CS_KEY_RATE,        /* a decimal fraction, min..max */
    CS_KEY_LABEL,       /* letters, digits and . _ - */
    CS_KEY_NAME,        /* printable text of 1..max bytes */
    CS_KEY_CPUS,        /* all, a number, or a list of numbers and "a-b" */
    CS_KEY_EVENT,       /* a number or an Arm name */
    CS_KEY_EVENTS,      /* the same or "a-b" */
    CS_KEY_USER_EVENTS, /* hexadecimal words, or a list of events */
    CS_KEY_ADDRESS,     /* a number, or a register of a section, "<section>.NAME" */
    CS_KEY_FILE,        /* the path of a file, beside the scenario, of 1..max bytes */
    CS_KEY_LOADED,      /* the path of a file, beside the scenario, that `load` reads */
    CS_KEY_OVERLAY,     /* a map of keys of a scenario, but not `way` and `ways`; not stored: it was
                           laid over the scenario before (ways.h) */
    CS_KEY_NAMES        /* a list of texts of 1..max bytes */
} cs_key_type;

/* A word that a key of type CHOICE takes. Where the keys beside it depend on it,
 * `needs` must be there and `may` may; other keys that any choice of the list
 * names are not allowed. Words separated by blanks. */
typedef struct cs_key_choice {
    const char *name;
    uint64_t value;
    const char *needs;
    const char *may;
    const char *text;
} cs_key_choice;

typedef struct cs_key_shape cs_key_shape;
struct cs_scenario;
struct cs_yaml;

typedef struct cs_key {
    const char *name;
    cs_key_type type;
    const char *unit; /* "" for none */
    uint64_t min;
    uint64_t max;
    uint64_t step;
    const char *fallback; /* YAML; "=..." says how it is computed; NULL: the key is required */
    const cs_key_choice *choices; /* ends with a NULL name */
    const cs_key_shape *shape;
    const char *without; /* of MAP, LIST: a key of the shape that is not allowed here */
    const char *text;    /* one line */
    /* Where the value goes, from the start of the shape's structure. */
    size_t offset;
    size_t width;        /* bytes; 0: into two flags, bit 0 and bit 1 of the value */
    size_t count_offset; /* of LIST and lists of numbers */
    /* Of LOADED: reads the file to its place. */
    cs_status (*load)(struct cs_scenario *s, struct cs_yaml *memory, const char *path,
                      cs_diag *diag);
    bool last;      /* of the top: read after the others, whose values it may be made of */
    size_t through; /* not 0: the structure is where the pointer at this offset less 1 points */
} cs_key;

/* Keys that stand together. */
struct cs_key_shape {
    const char *name;
    const cs_key *keys;
    size_t nr_keys;
    size_t bytes;            /* of the structure of one element of a list */
    bool one;                /* exactly one of the keys */
    size_t which;            /* with `one`: offset of its number, an enum */
    const char *only_one[2]; /* keys that are not allowed beside each other; NULL: there are none */
    size_t line;             /* offset of two unsigned, line and column; 0: none */
};

/* What segments of a workload have, and those of a unit. */
extern const cs_key_shape cs_segment_shape;

/* The top of a scenario. */
const cs_key_shape *cs_scenario_shape(void);

/* The section that was called so in former versions; NULL: none was. */
const char *cs_scenario_key_now(const char *was);

/* Calls visit for every key, a key before those below it, with its path:
 * "bus.clock_mhz", "workloads[].segments[].cycles". The keys of a shape that
 * stands in two places are visited at the first (handler has those of a segment).
 * Ends early when visit returns false. */
void cs_scenario_keys(bool (*visit)(void *ctx, const char *path, const cs_key *key), void *ctx);

/* The key at a path as above, wherever its shape stands; NULL: there is none. */
const cs_key *cs_scenario_key(const char *path);

/* "1..5000 MHz", "rate, periodic ..." and the like: what is allowed, for people. */
const char *cs_key_allowed(const cs_key *key, char *buffer, size_t size);

/* True if `word` is one of the words of `list`, which may be NULL. */
bool cs_key_in(const char *list, const char *word);

/* How a choice among the keys beside it sees a key. */
typedef enum cs_key_need { CS_KEY_FREE, CS_KEY_NEEDED, CS_KEY_ALLOWED, CS_KEY_REFUSED } cs_key_need;
cs_key_need cs_key_need_of(const cs_key *selector, const cs_key_choice *choice, const char *name);

#ifdef __cplusplus
}
#endif

#endif
