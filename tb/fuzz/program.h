// SPDX-License-Identifier: Apache-2.0
/* An input as a little program, for what is written: its bytes choose calls and their arguments. Behind
 * its end all bytes are 0. */
#ifndef CS_TB_FUZZ_PROGRAM_H
#define CS_TB_FUZZ_PROGRAM_H

#include <stdbool.h>

#include "formats/common/field.h"
#include "target.h"

/* ---- arguments ---- */

typedef struct cs_fuzz_program {
    const uint8_t *at, *end;
    struct cs_fuzz_kept *kept;    /* the memory that arguments are in .. */
    size_t kept_bytes, most_kept; /* .. so much of it: too much ends the program */
} cs_fuzz_program;

void cs_fuzz_program_begin(cs_fuzz_program *program, const uint8_t *data, size_t size,
                           size_t most_kept);
/* Arguments are gone afterwards. */
void cs_fuzz_program_end(cs_fuzz_program *program);

/* Zeros until the end, of just this size; NULL for none. */
void *cs_fuzz_room(cs_fuzz_program *program, size_t bytes);

uint8_t cs_fuzz_byte(cs_fuzz_program *program);
/* From 0x80 on the byte less 0x80. Else its low bits say how many bytes hold the number: 1, 2, 4, 8, and the
 * two above what becomes of it: itself, its complement, a power of two, one less. */
uint64_t cs_fuzz_number(cs_fuzz_program *program);
/* One of what stands in a list. */
#define CS_FUZZ_ONE_OF(program, list)                                                              \
    ((list)[cs_fuzz_byte(program) % (sizeof(list) / sizeof((list)[0]))])

/* A byte has their number, below 32; from 0xf0 on two bytes have it, and a third is all of them. */
uint8_t *cs_fuzz_bytes(cs_fuzz_program *program, size_t *nr);
/* Likewise, with a NUL. */
char *cs_fuzz_text(cs_fuzz_program *program);
/* 0xff is none. */
char *cs_fuzz_text_or_null(cs_fuzz_program *program);
/* A byte has their number, below 16, each is a number; from 0xf0 on two bytes have it, at most `most`, and
 * they rise from a number on. */
uint64_t *cs_fuzz_words(cs_fuzz_program *program, size_t most, size_t *nr);

/* Fields of events and of the arguments of others, and values for them. `wrong`: also such as a writer refuses;
 * 0xff is one more than CS_CTF_MAX_FIELDS then. */
cs_field *cs_fuzz_fields(cs_fuzz_program *program, bool wrong, size_t *nr);
cs_field_value *cs_fuzz_values(cs_fuzz_program *program, const cs_field *fields, size_t nr,
                               bool wrong);

/* ---- where it is written ---- */

/* Takes `left` bytes, and fails from then on. It must not be called again, or behind its end. */
typedef struct cs_fuzz_memory {
    uint8_t *bytes;
    size_t used, room;
    size_t at; /* of a stream: where it writes next */
    uint64_t left;
    bool failed;
} cs_fuzz_memory;

/* A number: what it takes; 0: all. */
void cs_fuzz_memory_begin(cs_fuzz_memory *memory, cs_fuzz_program *program);
bool cs_fuzz_take(cs_fuzz_memory *memory, size_t at, const void *bytes, size_t length);
cs_text_sink cs_fuzz_memory_sink(cs_fuzz_memory *memory);

/* An empty folder in memory, the same each time. */
const char *cs_fuzz_folder(void);

/* ---- what came of it ---- */

/* The status of a call. The first failure must stay, in *first. */
void cs_fuzz_called(cs_status status, cs_status *first);

/* What the format's reader says of it, with that option if it is not NULL. `must`: it aborts if the reader
 * ends with an error. */
void cs_fuzz_read(const char *format, const char *path, const char *option, cs_table_format table,
                  bool must);

#endif
