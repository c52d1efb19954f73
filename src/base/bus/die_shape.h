// SPDX-License-Identifier: Apache-2.0
/* How large a die is: the units it has, and their parameters, by the names of the RTL's modules.
 * As text: "adder.NrLane=2 adder.NrSlot=4 timer", a word a parameter, or a unit without any. */
#ifndef CS_BASE_DIE_SHAPE_H
#define CS_BASE_DIE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_DIE_SHAPE_ROWS 32u
#define CS_DIE_SHAPE_NAME 24u
#define CS_DIE_SHAPE_TEXT 1024u /* room for either text of a shape */

typedef struct cs_die_size {
    char unit[CS_DIE_SHAPE_NAME];
    char name[CS_DIE_SHAPE_NAME]; /* of the parameter; "": the unit is there */
    unsigned value;
} cs_die_size;

typedef struct cs_die_shape {
    cs_die_size sizes[CS_DIE_SHAPE_ROWS];
    size_t nr_sizes;
} cs_die_shape;

/* name NULL: the unit has no parameters. */
void cs_die_shape_add(cs_die_shape *shape, const char *unit, const char *name, unsigned value);

bool cs_die_shape_has(const cs_die_shape *shape, const char *unit);

/* A parameter; NULL when the shape has not got it. */
const cs_die_size *cs_die_shape_find(const cs_die_shape *shape, const char *unit, const char *name);

/* Its value; 0 when the shape has not got it. */
unsigned cs_die_shape_get(const cs_die_shape *shape, const char *unit, const char *name);

/* Whether a die of this shape has all that is wanted; smaller ones run on it by straps. */
bool cs_die_shape_holds(const cs_die_shape *shape, const cs_die_shape *wanted);

/* CS_ERR_FORMAT: no shape. */
cs_status cs_die_shape_parse(const char *text, cs_die_shape *out, cs_diag *diag);

/* The text that cs_die_shape_parse takes; returns buffer. */
const char *cs_die_shape_text(const cs_die_shape *shape, char buffer[CS_DIE_SHAPE_TEXT]);

/* For people: "adder: 2 lanes, 4 slots; timer"; returns buffer. */
const char *cs_die_shape_tell(const cs_die_shape *shape, char buffer[CS_DIE_SHAPE_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
