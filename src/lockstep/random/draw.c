// SPDX-License-Identifier: Apache-2.0
#include "lockstep/random/draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/room.h"

void cs_draw_begin(cs_draw *d, uint64_t seed, uint64_t number, const cs_steer *steer)
{
    *d = (cs_draw){.steer = steer};
    for (unsigned i = 0; i < 4; i++)
        d->state[i] =
            cs_hash_mix(cs_hash_mix(seed + CS_HASH_STEP) + (4 * number + i + 1) * CS_HASH_STEP);
    d->text = malloc(CS_DRAW_TEXT);
    d->failed = d->text == NULL;
    if (d->text != NULL)
        d->text[0] = '\0';
}

void cs_draw_end(cs_draw *d)
{
    free(d->text);
    free(d->choices);
    *d = (cs_draw){0};
}

bool cs_draw_failed(const cs_draw *d)
{
    return d->failed;
}

/* ---- numbers ---- */

static uint64_t rotated(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

/* xoshiro256**, as Blackman and Vigna describe it. */
uint64_t cs_draw_bits(cs_draw *d)
{
    uint64_t *s = d->state;
    const uint64_t result = rotated(s[1] * 5, 7) * 9;
    const uint64_t t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotated(s[3], 45);
    return result;
}

uint64_t cs_draw_below(cs_draw *d, uint64_t n)
{
    return cs_draw_bits(d) % n;
}

uint64_t cs_draw_between(cs_draw *d, uint64_t low, uint64_t high)
{
    return low + cs_draw_below(d, high - low + 1);
}

bool cs_draw_chance(cs_draw *d, unsigned percent)
{
    return cs_draw_below(d, 100) < percent;
}

uint64_t cs_draw_any(cs_draw *d)
{
    const unsigned size = (unsigned)cs_draw_below(d, 66);

    if (size == 65)
        return ~UINT64_C(0);
    return size == 64 ? cs_draw_bits(d) : cs_draw_bits(d) & ((UINT64_C(1) << size) - 1);
}

/* ---- choices ---- */

static uint64_t key_of(const char *name, unsigned number)
{
    uint64_t key = CS_HASH_STEP;

    for (; *name != '\0'; name++)
        key = cs_hash_mix(key + (unsigned char)*name);
    return cs_hash_mix(key + number + 1);
}

static void remember(cs_draw *d, uint64_t key)
{
    uint64_t *choices = cs_room(d->choices, &d->choice_room, d->nr_choices, sizeof *choices);

    if (choices == NULL) {
        d->failed = true;
        return;
    }
    d->choices = choices;
    choices[d->nr_choices++] = key;
}

/* `shares`: of each, before it is steered. */
static unsigned pick(cs_draw *d, const char *name, unsigned n, const unsigned *shares)
{
    uint64_t sum = 0, at;
    unsigned i = 0;

    for (i = 0; i < n; i++)
        sum += (uint64_t)cs_steer_weight(d->steer, key_of(name, i)) *
               (shares != NULL ? shares[i] : 1u);
    at = cs_draw_below(d, sum);
    for (i = 0; i + 1 < n; i++) {
        const uint64_t weight = (uint64_t)cs_steer_weight(d->steer, key_of(name, i)) *
                                (shares != NULL ? shares[i] : 1u);

        if (at < weight)
            break;
        at -= weight;
    }
    remember(d, key_of(name, i));
    return i;
}

unsigned cs_draw_pick(cs_draw *d, const char *name, unsigned n)
{
    return pick(d, name, n, NULL);
}

bool cs_draw_flag(cs_draw *d, const char *name, unsigned percent)
{
    const unsigned shares[2] = {100 - percent, percent};

    return pick(d, name, 2, shares) == 1;
}

const char *cs_draw_bool(cs_draw *d, const char *name, unsigned percent)
{
    return cs_draw_flag(d, name, percent) ? "true" : "false";
}

/* ---- facts ---- */

void cs_draw_set(cs_draw *d, const char *fact, uint64_t value)
{
    for (size_t i = 0; i < d->nr_facts; i++)
        if (strcmp(d->facts[i].name, fact) == 0) {
            d->facts[i].value = value;
            return;
        }
    if (d->nr_facts == CS_DRAW_FACTS) {
        d->failed = true;
        return;
    }
    d->facts[d->nr_facts].name = fact;
    d->facts[d->nr_facts++].value = value;
}

uint64_t cs_draw_get(const cs_draw *d, const char *fact)
{
    for (size_t i = 0; i < d->nr_facts; i++)
        if (strcmp(d->facts[i].name, fact) == 0)
            return d->facts[i].value;
    return 0;
}

/* ---- text ---- */

static void put(cs_draw *d, const char *format, va_list args)
{
    int n;

    if (d->failed)
        return;
    n = vsnprintf(d->text + d->bytes, CS_DRAW_TEXT - d->bytes, format, args);
    if (n < 0 || (size_t)n + 2 > CS_DRAW_TEXT - d->bytes)
        d->failed = true;
    else
        d->bytes += (size_t)n;
}

void cs_draw_put(cs_draw *d, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put(d, format, args);
    va_end(args);
}

void cs_draw_line(cs_draw *d, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put(d, format, args);
    va_end(args);
    cs_draw_put(d, "\n");
}

void cs_draw_write(cs_draw *d, uint64_t addr, unsigned size, uint64_t value)
{
    if (size < 8)
        value &= (UINT64_C(1) << 8 * size) - 1;
    cs_draw_line(d, "  - write: {at: 0x%" PRIx64 ", size: %u, value: 0x%" PRIx64 "}", addr, size,
                 value);
}

void cs_draw_read(cs_draw *d, uint64_t addr, unsigned size)
{
    cs_draw_line(d, "  - read: {at: 0x%" PRIx64 ", size: %u}", addr, size);
}

void cs_draw_pause(cs_draw *d, uint64_t low, uint64_t high)
{
    cs_draw_line(d, "  - delay: %" PRIu64, cs_draw_between(d, low, high));
}
