// SPDX-License-Identifier: Apache-2.0
/* Draws a scenario: numbers that a seed fixes, choices that lean to what has lately brought something
 * new (steer.h), and the text that comes of it. Nothing fails: what finds no memory, or no room, is
 * noticed at the end (cs_draw_failed). */
#ifndef CS_LOCKSTEP_RANDOM_DRAW_H
#define CS_LOCKSTEP_RANDOM_DRAW_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lockstep/random/steer.h"

#define CS_DRAW_TEXT ((size_t)256 << 10) /* longer scenarios are cut off, which is a failure */
#define CS_DRAW_FACTS 16u

typedef struct cs_draw {
    uint64_t state[4];
    const cs_steer *steer; /* NULL: all choices alike */
    uint64_t *choices;     /* that were made */
    size_t nr_choices, choice_room;
    char *text; /* CS_DRAW_TEXT */
    size_t bytes;
    bool failed;
    const char *root; /* the tree, with configs/; NULL: there is none */
    /* What one part of a scenario tells the others. */
    struct {
        const char *name;
        uint64_t value;
    } facts[CS_DRAW_FACTS];
    size_t nr_facts;
} cs_draw;

/* `number` of the scenarios of a seed. */
void cs_draw_begin(cs_draw *d, uint64_t seed, uint64_t number, const cs_steer *steer);
void cs_draw_end(cs_draw *d); /* frees what it has */
bool cs_draw_failed(const cs_draw *d);

uint64_t cs_draw_bits(cs_draw *d);
uint64_t cs_draw_below(cs_draw *d, uint64_t n);
uint64_t cs_draw_between(cs_draw *d, uint64_t low, uint64_t high); /* both may come */
bool cs_draw_chance(cs_draw *d, unsigned percent);
/* A number whose size is drawn first: 0, few bits or many. */
uint64_t cs_draw_any(cs_draw *d);

/* One of `n`, steered: what brought new things under this name and number comes more often. */
unsigned cs_draw_pick(cs_draw *d, const char *name, unsigned n);
/* The same of two; steered around the percentage. */
bool cs_draw_flag(cs_draw *d, const char *name, unsigned percent);
/* "true" or "false" of such. */
const char *cs_draw_bool(cs_draw *d, const char *name, unsigned percent);

void cs_draw_set(cs_draw *d, const char *fact, uint64_t value);
uint64_t cs_draw_get(const cs_draw *d, const char *fact); /* 0: it was not set */

/* A line of the text, and the same without its end. */
void cs_draw_line(cs_draw *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cs_draw_put(cs_draw *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Steps of a script. */
void cs_draw_write(cs_draw *d, uint64_t addr, unsigned size, uint64_t value);
void cs_draw_read(cs_draw *d, uint64_t addr, unsigned size);
void cs_draw_pause(cs_draw *d, uint64_t low, uint64_t high);

#endif
