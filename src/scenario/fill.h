// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario. From the tree of a YAML document into cs_scenario, as the
 * table of keys says. */
#ifndef CS_SCENARIO_FILL_H
#define CS_SCENARIO_FILL_H

#include "scenario/keys.h"
#include "scenario/scenario.h"
#include "scenario/yaml/yaml.h"

#define CS_FILL_MOST_ERRORS 16u

typedef struct cs_fill {
    cs_scenario *scenario;
    cs_yaml *memory; /* owns what the scenario points to */
    cs_diag *diag;
    cs_yaml_node *root;                  /* of the document */
    char path[256];                      /* of the key at hand, "workloads.0.cpus" */
    cs_diag errors[CS_FILL_MOST_ERRORS]; /* so far */
    size_t nr_errors;                    /* more than that are counted */
    size_t nr_before;                    /* of them in sections before this one */
    bool no_events;                      /* a file with events could not be loaded */
} cs_fill;

/* Every key of the document, and the defaults of those that are not there. What
 * one key alone can tell is checked, and all such errors are told together, a line each.
 * CS_ERR_SCENARIO, CS_ERR_NO_MEMORY. */
cs_status cs_fill_scenario(cs_fill *fill, cs_yaml_node *root);

/* One value that is neither a map nor a list of maps, into its place in *object. */
cs_status cs_fill_value(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object);

/* The error "place: path: text". */
cs_status cs_fill_error(const cs_fill *fill, const cs_yaml_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same at the node's key. */
cs_status cs_fill_key_error(const cs_fill *fill, const cs_yaml_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* An error of the document is kept, the path gets its length before it, and the filling goes on: CS_OK.
 * Other statuses are returned. */
cs_status cs_fill_keep_error(cs_fill *fill, cs_status status, size_t length);
/* All that were kept, as one diagnostic; CS_OK where there are none. */
cs_status cs_fill_errors(cs_fill *fill);

/* What stands there: "a list", "nothing", or the text in quotes. */
const char *cs_fill_found(const cs_yaml_node *node, char *buffer, size_t size);

bool cs_fill_is_text(const cs_yaml_node *node); /* a scalar, not empty */
cs_status cs_fill_wrong_type(const cs_fill *fill, const cs_key *key, const cs_yaml_node *node,
                             const char *expected);

/* Puts a number where the key says. */
void cs_fill_store(const cs_key *key, void *object, uint64_t value);

/* A printable text of key->min..key->max bytes into its place. */
cs_status cs_fill_text(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object);

/* Readers of cs_fill_value (fill_hardware.c). */
cs_status cs_fill_cpus(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object);
cs_status cs_fill_event(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object);
cs_status cs_fill_user_events(cs_fill *fill, const cs_key *key, const cs_yaml_node *node,
                              void *object);
cs_status cs_fill_address(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object);
cs_status cs_fill_file(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object);
cs_status cs_fill_loaded(cs_fill *fill, const cs_key *key, const cs_yaml_node *node, void *object);

#endif
