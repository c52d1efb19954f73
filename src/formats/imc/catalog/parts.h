// SPDX-License-Identifier: Apache-2.0
/* Inside the catalog's loader: what its parts hand to each other. */
#ifndef CS_FORMATS_IMC_CATALOG_PARTS_H
#define CS_FORMATS_IMC_CATALOG_PARTS_H

#include "formats/imc/catalog/catalog.h"

struct cs_imc_catalog {
    char name[256]; /* what errors call it */
    void *blob;     /* texts point into it */
    size_t bytes;
    uint32_t version;
    size_t nr_units;
    cs_imc_unit units[CS_IMC_MAX_UNITS];
    size_t nr_events;            /* nodes that were looked at as events of a unit */
    struct cs_imc_block *blocks; /* allocations that end with the catalog */
    size_t nr_warnings;
    char *warnings[CS_IMC_MAX_WARNINGS];
};

/* Zeroed memory of the catalog's own; NULL when there is none. */
void *cs_imc_catalog_allocate(cs_imc_catalog *catalog, size_t count, size_t bytes);

/* ---- property.c ---- */

/* A node that errors and warnings can name. */
typedef struct cs_imc_node {
    cs_imc_catalog *catalog;
    int offset; /* of the node in the blob */
} cs_imc_node;

/* CS_ERR_FORMAT: "<node>, property '<property>': <what>"; `property` may be NULL. */
cs_status cs_imc_node_error(const cs_imc_node *node, const char *property, cs_diag *diag,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Adds a warning of the same form; the text is dropped when there is no memory for it. */
void cs_imc_node_warn(const cs_imc_node *node, const char *property, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The bytes of a property in *out, which must be a multiple of `element` and at least one of
 * them; NULL where the property is absent. */
cs_status cs_imc_node_array(const cs_imc_node *node, const char *property, size_t element,
                            const uint8_t **out, size_t *count, cs_diag *diag);

/* `count` numbers of 32 bits. An absent property leaves them as they were and *found (may be
 * NULL: then that is an error) false. */
cs_status cs_imc_node_numbers(const cs_imc_node *node, const char *property, uint32_t *out,
                              size_t count, bool *found, cs_diag *diag);

/* One text of printable ASCII, terminated; it ends with the catalog. NULL where absent. */
cs_status cs_imc_node_text(const cs_imc_node *node, const char *property, const char **out,
                           cs_diag *diag);

/* The same without blanks and '/', as a part of a file's name in sysfs. */
cs_status cs_imc_node_word(const cs_imc_node *node, const char *property, const char **out,
                           cs_diag *diag);

/* ---- parse.c ---- */

/* Fills an empty catalog from its blob. */
cs_status cs_imc_catalog_parse(cs_imc_catalog *catalog, cs_diag *diag);

/* ---- unit.c ---- */

/* The catalog's `type` of a domain. */
uint32_t cs_imc_type_of(cs_imc_domain domain);

/* Adds the unit at `node`, whose ancestors are at ancestors[0..depth). */
cs_status cs_imc_catalog_add_unit(const cs_imc_node *node, const int *ancestors, size_t depth,
                                  cs_diag *diag);

#endif
