// SPDX-License-Identifier: Apache-2.0
/* Published bugs, as they are written in bugs/: docs/uses/zoo.md, "What an entry is". */
#ifndef CS_ZOO_BUGS_H
#define CS_ZOO_BUGS_H

#include <stddef.h>

#include <countersink/base/diag.h>

#define CS_ZOO_THREADS 8u
#define CS_ZOO_CHANGES 8u
#define CS_ZOO_FILES 16u
#define CS_ZOO_BUGS 100u /* of a kind */
#define CS_ZOO_KINDS 16u
#define CS_ZOO_SETS 8u

/* Lines of our RTL, and what is in their place; there FAULT is whether the bug is there. */
typedef struct cs_zoo_change {
    const char *file; /* its name, without folders */
    const char *old;  /* is there once */
    const char *with;
} cs_zoo_change;

typedef struct cs_zoo_bug {
    const char *name;
    unsigned number, line; /* from 1 on, of its kind; where it begins */
    const char
        *threads[CS_ZOO_THREADS]; /* OWNER/PROJECT#NUMBER, OWNER/PROJECT@COMMIT or an address */
    size_t nr_threads;
    const char *rule; /* a heading of the page, or its number */
    const char *says;
    cs_zoo_change changes[CS_ZOO_CHANGES];
    size_t nr_changes;
    /* Of software, in place of changes: a scenario of configs/, what is set there as well without the bug, what
     * puts the bug in, and the figure of the run that shows it. */
    const char *scenario;
    const char *given[CS_ZOO_SETS], *sets[CS_ZOO_SETS];
    size_t nr_given, nr_sets;
    const char *figure;
} cs_zoo_bug;

/* The bugs of a unit's RTL, or of a piece of software. */
typedef struct cs_zoo_kind {
    const char *name; /* of RTL: the unit of compare-unit */
    const char *page;
    /* Of RTL, below the root of its sources, packages first; then modules around it, the top and the MAP, which
     * are part of the program. No file: it is software. */
    const char *rtl[CS_ZOO_FILES];
    size_t nr_rtl;
    const char *module; /* around it; NULL: none */
    const char *top, *map;
    cs_zoo_bug bugs[CS_ZOO_BUGS];
    size_t nr_bugs;
    char *text, *joined; /* what all names above are in */
} cs_zoo_kind;

/* A file of bugs/ called `name`.txt, whose text is `text`. CS_ERR_FORMAT with its line. On success
 * cs_zoo_kind_free takes it. */
cs_status cs_zoo_kind_read(const char *name, const char *text, cs_zoo_kind **out, cs_diag *diag);
void cs_zoo_kind_free(cs_zoo_kind *kind);

typedef struct cs_zoo {
    cs_zoo_kind *kinds[CS_ZOO_KINDS];
    size_t nr_kinds;
} cs_zoo;

/* All of them. On success cs_zoo_close takes it. */
cs_status cs_zoo_open(cs_zoo *zoo, cs_diag *diag);
void cs_zoo_close(cs_zoo *zoo);

/* The bug of that name, and its kind; NULL: there is none. */
const cs_zoo_bug *cs_zoo_find(const cs_zoo *zoo, const char *name, const cs_zoo_kind **kind);

#endif
