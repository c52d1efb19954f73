// SPDX-License-Identifier: Apache-2.0
/* JSON (RFC 8259) as a stream of tokens, from a file of any length. Nothing is kept but the
 * current token and how deep it stands. */
#ifndef CS_FORMATS_COMMON_JSON_READ_H
#define CS_FORMATS_COMMON_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/common/byte_source.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_JSON_MAX_DEPTH 64u
#define CS_JSON_MAX_TEXT (1u << 20)

typedef enum cs_json_kind {
    CS_JSON_END, /* of the file */
    CS_JSON_OBJECT,
    CS_JSON_OBJECT_END,
    CS_JSON_ARRAY,
    CS_JSON_ARRAY_END,
    CS_JSON_KEY, /* its value is the next token */
    CS_JSON_STRING,
    CS_JSON_NUMBER, /* text as it stands */
    CS_JSON_TRUE,
    CS_JSON_FALSE,
    CS_JSON_NULL
} cs_json_kind;

typedef struct cs_json_token {
    cs_json_kind kind;
    const char *text; /* of keys, strings (escapes resolved), numbers and words; ends with 0 */
    size_t bytes;
    uint64_t offset; /* of its first byte in the file */
} cs_json_token;

typedef struct cs_json cs_json;

/* `name` (borrowed) is for messages. With `may_stop`, an array that is the whole file may lack its
 * end, as that of a tracer that was killed. CS_ERR_NO_MEMORY. */
cs_status cs_json_open(const cs_byte_source *source, const char *name, bool may_stop, cs_json **out,
                       cs_diag *diag);
void cs_json_close(cs_json *json);

/* The next token, valid until the next call. CS_ERR_FORMAT: not JSON, with the byte, what was
 * expected and found; a text of more than CS_JSON_MAX_TEXT bytes; deeper than CS_JSON_MAX_DEPTH. After
 * an error the same error again. */
cs_status cs_json_next(cs_json *json, cs_json_token *token, cs_diag *diag);

/* Passes over what is left of the value that *token began. */
cs_status cs_json_skip(cs_json *json, const cs_json_token *token, cs_diag *diag);

/* How many arrays and objects are open. */
unsigned cs_json_depth(const cs_json *json);

#ifdef __cplusplus
}
#endif

#endif
