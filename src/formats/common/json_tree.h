// SPDX-License-Identifier: Apache-2.0
/* A JSON file as a whole in memory, for formats whose parts point at each other. */
#ifndef CS_FORMATS_COMMON_JSON_TREE_H
#define CS_FORMATS_COMMON_JSON_TREE_H

#include "formats/common/json_read.h"

#ifdef __cplusplus
extern "C" {
#endif

/* More values are no file of any profiler, but damage. */
#define CS_JSONTREE_MOST_VALUES (1u << 28)

typedef struct cs_jsontree_value {
    cs_json_kind kind;                      /* OBJECT, ARRAY, STRING, NUMBER, TRUE, FALSE, NULL */
    const char *key;                        /* in an object; else NULL */
    const char *text;                       /* of a string, a number, a word */
    uint64_t offset;                        /* of its first byte in the file */
    size_t nr;                              /* of an object or array: what is in it .. */
    const struct cs_jsontree_value *values; /* .. in their order */
} cs_jsontree_value;

typedef struct cs_jsontree cs_jsontree;

/* `name` is for messages. CS_ERR_FORMAT: not JSON, with the byte, what was expected and found;
 * CS_ERR_NO_MEMORY. *out is NULL then. */
cs_status cs_jsontree_read(const cs_byte_source *source, const char *name, cs_jsontree **out,
                           cs_diag *diag);
void cs_jsontree_free(cs_jsontree *tree); /* NULL is allowed */
const cs_jsontree_value *cs_jsontree_root(const cs_jsontree *tree);

/* The last of that key in an object; NULL: none, or it is no object. */
const cs_jsontree_value *cs_jsontree_get(const cs_jsontree_value *object, const char *key);

/* Whether it is a number that is whole and not negative; *out is it then. NULL is none. */
bool cs_jsontree_whole(const cs_jsontree_value *value, uint64_t *out);

#ifdef __cplusplus
}
#endif

#endif
