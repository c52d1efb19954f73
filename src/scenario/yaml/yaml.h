// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario. A YAML document as a tree whose every node knows where it
 * stands. It is YAML without what a scenario has no use for: anchors, aliases,
 * tags, further documents, keys that are not scalars. All of these are refused,
 * as is nesting deeper than CS_YAML_MAX_DEPTH, so that the time and memory of a
 * document are bounded by its length. */
#ifndef CS_SCENARIO_YAML_H
#define CS_SCENARIO_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include <countersink/base/diag.h>

#define CS_YAML_MAX_BYTES ((size_t)1 << 20)
#define CS_YAML_MAX_DEPTH 24u
#define CS_YAML_MAX_NODES 100000u

typedef enum cs_yaml_kind { CS_YAML_SCALAR, CS_YAML_LIST, CS_YAML_MAP } cs_yaml_kind;

typedef struct cs_yaml_node cs_yaml_node;

struct cs_yaml_node {
    cs_yaml_kind kind;
    bool plain;        /* a scalar without quotes */
    const char *where; /* the file, or "--set a.b=c" */
    unsigned line;     /* 1-based; 0 where there is none (--set) */
    unsigned column;
    unsigned turn;    /* 0: of the document; else of what put it there, a later one has more */
    const char *text; /* of a scalar */
    const char *key;  /* in a map, else NULL */
    unsigned key_line;
    unsigned key_column;
    const char *written; /* the path of what it was made from; NULL: it is the document's own */
    cs_yaml_node *first; /* children of a list or map */
    cs_yaml_node *last;
    cs_yaml_node *next; /* sibling */
    size_t count;       /* children */
};

/* Owns the nodes of any number of documents and their texts. */
typedef struct cs_yaml cs_yaml;

cs_status cs_yaml_create(cs_yaml **out, cs_diag *diag);
void cs_yaml_destroy(cs_yaml *yaml); /* NULL is allowed */

/* Zeroed memory that lives as long as *yaml; NULL with *diag set. */
void *cs_yaml_alloc(cs_yaml *yaml, size_t bytes, cs_diag *diag);
char *cs_yaml_copy(cs_yaml *yaml, const char *text, size_t bytes, cs_diag *diag);

/* `where` goes into the nodes and into diagnostics and is copied. Without
 * `places` nodes have no line and column (what was typed on a command line).
 * Errors: CS_ERR_SCENARIO, CS_ERR_NO_MEMORY; an empty document is an error. */
cs_status cs_yaml_parse(cs_yaml *yaml, const char *text, size_t bytes, const char *where,
                        bool places, cs_yaml_node **root, cs_diag *diag);

/* The file's text, by malloc; of one that is too long a byte more than is allowed, for cs_yaml_parse to
 * refuse. CS_ERR_IO, CS_ERR_NO_MEMORY; *text is NULL then. */
cs_status cs_yaml_read(const char *path, char **text, size_t *bytes, cs_diag *diag);

void cs_yaml_append(cs_yaml_node *parent, cs_yaml_node *child);

/* The child with this key of a map, the child with this number of a list; NULL
 * where there is none. */
cs_yaml_node *cs_yaml_child(const cs_yaml_node *parent, const char *step, size_t bytes);

/* The node that a path like "workloads.0.segments" leads to. Where the path ends
 * early: NULL, and in *nearest (if not NULL) the last node on it. */
cs_yaml_node *cs_yaml_find(cs_yaml_node *root, const char *path, cs_yaml_node **nearest);

/* `path` as a person wrote it: what was made from something else has that thing's. */
void cs_yaml_written(cs_yaml_node *root, const char *path, char *out, size_t size);

/* The latest turn on the way to the node at `path`, which is there. */
unsigned cs_yaml_turn(const cs_yaml_node *root, const char *path);

/* Takes the node at `path` out, and maps above it that become empty, but not the root. */
void cs_yaml_remove(cs_yaml_node *root, const char *path);

/* The tree as YAML text, allocated with malloc; NULL without memory. Comments
 * and the original layout are not in it, nor what was made from something else. */
char *cs_yaml_print(const cs_yaml_node *root, const char *comment);

/* Sets `assignment` = "a.b.2.c=VALUE" in the tree; VALUE is YAML. Maps on the way
 * are made where they are missing; a list takes the number one past its end. The value's turn is
 * `turn`. */
cs_status cs_yaml_set(cs_yaml *yaml, cs_yaml_node *root, const char *assignment, unsigned turn,
                      cs_diag *diag);

#endif
