/* Internal to scenario: a section, which is the keys that belong to one thing, and what follows
 * from them. It stands in a folder of that thing; sections.h has the list. */
#ifndef CS_SCENARIO_SECTION_H
#define CS_SCENARIO_SECTION_H

#include <stddef.h>

#include "scenario/keys.h"

typedef struct cs_section {
    const char *name;
    const cs_key *keys; /* at the top of the scenario */
    size_t nr_keys;
    const char *was; /* its key's name in former versions; NULL: it had no other */
    size_t bytes;    /* of its structure, cs_<name>_spec; 0: the keys go into cs_scenario itself */
} cs_section;

#endif
