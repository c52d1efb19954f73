// SPDX-License-Identifier: Apache-2.0
/* A MAP: how somebody's own RTL is held against one of our models. YAML; docs/yours/rtl.md. */
#ifndef CS_FOREIGN_MAP_H
#define CS_FOREIGN_MAP_H

#include "foreign/unit.h"
#include "scenario/yaml/yaml.h"

#define CS_FOREIGN_MAX_PAIRS 64u
#define CS_FOREIGN_MAX_ADDRESSES 256u

/* One of our pins and their port. */
typedef struct cs_foreign_link {
    const char *port; /* NULL: they have none */
    bool invert;
    /* Fields of another width, or fewer: theirs has `count` of `field` bits, those of ours from
     * `first` on. count 0: the port as a whole. */
    unsigned field, first, count;
    const cs_yaml_node *node;
} cs_foreign_link;

/* A parameter, or an input that is held, with its value as it stands there. */
typedef struct cs_foreign_pair {
    const char *name, *value;
    const cs_yaml_node *node;
} cs_foreign_pair;

typedef struct cs_foreign_address {
    uint64_t ours, theirs;
} cs_foreign_address;

typedef struct cs_foreign_map {
    cs_yaml *yaml;
    const cs_yaml_node *root;
    const cs_foreign_unit *unit;
    cs_foreign_link links[CS_FOREIGN_MAX_PINS]; /* by the unit's pins */
    cs_foreign_pair parameters[CS_FOREIGN_MAX_PAIRS];
    size_t nr_parameters;
    cs_foreign_pair ties[CS_FOREIGN_MAX_PAIRS];
    size_t nr_ties;
    cs_foreign_address addresses[CS_FOREIGN_MAX_ADDRESSES];
    size_t nr_addresses;
    cs_foreign_range leaves_out[CS_FOREIGN_MAX_ADDRESSES];
    cs_foreign_design design;
} cs_foreign_map;

/* Reads a MAP. CS_ERR_IO; CS_ERR_SCENARIO with file, line and column. On success
 * cs_foreign_map_destroy takes it. */
cs_status cs_foreign_map_load(const char *path, const cs_foreign_unit *unit, cs_foreign_map **out,
                              cs_diag *diag);
void cs_foreign_map_destroy(cs_foreign_map *map); /* NULL is allowed */

/* What does not go together (unit->check), with its place. Once more when the ports are known. */
cs_status cs_foreign_map_check(const cs_foreign_map *map, cs_diag *diag);

/* The i'th key; false: there are fewer. */
bool cs_foreign_map_key(size_t i, const char **name, const char **tells);

/* An error at a node of the MAP. */
cs_status cs_foreign_at(cs_diag *diag, const cs_yaml_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
