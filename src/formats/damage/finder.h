// SPDX-License-Identifier: Apache-2.0
/* What a format's `find` (formats/format.h) says where the records and the header's numbers of a file are.
 * Nothing is checked there, and what cannot be found is left out. */
#ifndef CS_FORMATS_DAMAGE_FINDER_H
#define CS_FORMATS_DAMAGE_FINDER_H

#include "formats/damage/layout.h"

typedef struct cs_damage_finder {
    const uint8_t *bytes;
    size_t size;
    cs_damage_layout *out; /* byte order, place of a record's size, and what mends are filled in */
    size_t room;
    bool no_memory;
} cs_damage_finder;

/* A record; false: it does not lie in the file, and no more can be taken. */
bool cs_damage_add(cs_damage_finder *find, uint64_t offset, uint64_t bytes);

/* A number in the header, if it lies in the file. */
void cs_damage_add_field(cs_damage_finder *find, uint64_t offset, unsigned bytes, const char *name);

/* Records of so many bytes, from `from` on. */
void cs_damage_add_blocks(cs_damage_finder *find, uint64_t from, uint64_t bytes);

/* Lines but for the first one, which has the names. */
void cs_damage_add_lines(cs_damage_finder *find);

#endif
