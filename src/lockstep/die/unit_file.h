// SPDX-License-Identifier: Apache-2.0
/* The module of a unit, src/rtl/<unit>/<unit>_unit.sv, as far as the die's top has to know it: its
 * parameters and its ports. The module is the only place where they are written down. */
#ifndef CS_LOCKSTEP_DIE_UNIT_FILE_H
#define CS_LOCKSTEP_DIE_UNIT_FILE_H

#include <stdbool.h>

#include "base/bus/die_shape.h"
#include "lockstep/die/tree.h"

#define CS_UNIT_PARAMETERS 16u
#define CS_UNIT_PORTS 96u
#define CS_UNIT_NAME 48u
#define CS_UNIT_WIDTH 96u

typedef struct cs_unit_parameter {
    char name[CS_UNIT_NAME];
    unsigned value;
} cs_unit_parameter;

typedef struct cs_unit_port {
    bool output;
    char name[CS_UNIT_NAME];
    char width[CS_UNIT_WIDTH]; /* bits, an expression of numbers and of packages; "": one bit */
} cs_unit_port;

typedef struct cs_unit_file {
    cs_unit_parameter parameters[CS_UNIT_PARAMETERS];
    unsigned nr_parameters;
    cs_unit_port ports[CS_UNIT_PORTS];
    unsigned nr_ports;
    unsigned managers; /* bundles of m_req_o */
    unsigned targets;  /* bundles of t_req_i */
} cs_unit_file;

/* Reads the module for a shape. CS_ERR_IO; CS_ERR_FORMAT with file and line: a header that is not
 * written as CONTRIBUTING.md says, or a parameter of the shape that the module has not got. */
cs_status cs_unit_file_read(const cs_rtl_tree *tree, const char *unit, const cs_die_shape *shape,
                            cs_unit_file *out, cs_diag *diag);

#endif
