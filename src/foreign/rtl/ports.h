// SPDX-License-Identifier: Apache-2.0
/* The ports of somebody's module, as Verilator has them for its parameters. */
#ifndef CS_FOREIGN_RTL_PORTS_H
#define CS_FOREIGN_RTL_PORTS_H

#include "foreign/map.h"

#define CS_FOREIGN_PORT_NAME 64u
#define CS_FOREIGN_MAX_PORTS 512u

typedef struct cs_foreign_port {
    char name[CS_FOREIGN_PORT_NAME];
    bool output;
    unsigned width; /* 0: no vector of bits (an unpacked array, an interface) */
} cs_foreign_port;

typedef struct cs_foreign_ports {
    cs_foreign_port list[CS_FOREIGN_MAX_PORTS];
    size_t count;
} cs_foreign_ports;

/* What Verilator told of the top module: a file of --xml-only, or one of --json-only, which the versions
 * after 5.044 alone have; before 5.046 it lacks the types of members. CS_ERR_FORMAT. */
cs_status cs_foreign_ports_read(const char *path, cs_foreign_ports *out, cs_diag *diag);

/* Holds the MAP against them: every port that it names is there, with a width and a direction that
 * fit, and every input has a pin or a value. The design then has their widths. CS_ERR_SCENARIO with
 * the place in the MAP. */
cs_status cs_foreign_ports_check(cs_foreign_map *map, const char *top,
                                 const cs_foreign_ports *ports, cs_diag *diag);

/* By name; NULL. */
const cs_foreign_port *cs_foreign_ports_find(const cs_foreign_ports *ports, const char *name);

#endif
