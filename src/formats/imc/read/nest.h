// SPDX-License-Identifier: Apache-2.0
/* What a nest window has beside its counters (docs/hw/nest.md): groups of counters between a
 * header and a trailer, which count the postings, and the control block. */
#ifndef CS_FORMATS_IMC_READ_NEST_H
#define CS_FORMATS_IMC_READ_NEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_IMC_NEST_WINDOW_BYTES 0x40000u

/* ---- groups, of POWER9; POWER10's are not published ---- */

/* Groups 1 to 7, then group 1 once more, at 0x10000 where debug mode posts it. */
#define CS_IMC_NEST_GROUPS 8u

typedef enum cs_imc_group_state {
    CS_IMC_GROUP_WHOLE,  /* header and trailer are equal */
    CS_IMC_GROUP_NEVER,  /* both are 0: nothing was posted */
    CS_IMC_GROUP_BUSY,   /* the header is ahead: it was being posted */
    CS_IMC_GROUP_OVERRUN /* the trailer is ahead: it was posted while it was copied */
} cs_imc_group_state;

typedef struct cs_imc_nest_group {
    const char *name;        /* "1" to "7", "1 debug" */
    const char *description; /* what it counts */
    uint32_t header_offset;  /* in the window */
    uint32_t trailer_offset;
    uint64_t header;
    uint64_t trailer;
    cs_imc_group_state state;
} cs_imc_nest_group;

/* Group nr, 0 to below CS_IMC_NEST_GROUPS, of a window of CS_IMC_NEST_WINDOW_BYTES. */
void cs_imc_nest_group_get(const uint8_t *window, size_t nr, cs_imc_nest_group *out);

/* Of the group whose header and trailer have `offset` between them: its nr, or
 * CS_IMC_NEST_GROUPS where there is none. */
size_t cs_imc_nest_group_of(uint32_t offset);

/* As "whole", "being posted when the image was taken". */
const char *cs_imc_group_state_text(cs_imc_group_state state);

/* ---- the control block ---- */

#define CS_IMC_CONTROL_BYTES 48u

typedef struct cs_imc_control {
    uint64_t status;  /* 0 init, 1 run, 2 pause, 3 bad speed, 4 bad mode */
    uint64_t command; /* 0 none, 1 resume, 2 pause, 3 clear; 0 again when it was accepted */
    uint64_t speed;   /* 0..11 */
    uint64_t units;   /* the availability vector: bit 0 is 2^63 */
    uint64_t mode;    /* 0 monitor, 1 debug */
    uint64_t mode_state;
} cs_imc_control;

#define CS_IMC_CONTROL_WORDS 6u

void cs_imc_control_decode(const uint8_t bytes[CS_IMC_CONTROL_BYTES], cs_imc_control *out);

/* The six words by number, in the order of the struct. */
uint64_t cs_imc_control_word(const cs_imc_control *control, size_t nr);
const char *cs_imc_control_name(size_t nr); /* "status", ...; NULL from CS_IMC_CONTROL_WORDS on */

#define CS_IMC_MEANING_BYTES 1024u

/* Word nr in words: "running", "groups 1-3 at every 4. visit, 4-7 at every 1.", the names of the units.
 * What has no meaning says what was expected; "" from CS_IMC_CONTROL_WORDS on. Returns buffer. */
const char *cs_imc_control_meaning(const cs_imc_control *control, size_t nr, bool power10,
                                   char buffer[CS_IMC_MEANING_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
