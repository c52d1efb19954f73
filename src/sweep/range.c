// SPDX-License-Identifier: Apache-2.0
#include "sweep/range.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "sweep/plan.h"

/* Whole numbers up to here are exact in a double. */
#define EXACT 9007199254740992.0

enum { FROM, TO, STEP, COUNT, RANDOM, SCALE, NR_WORDS };
static const char *const words[NR_WORDS] = {"from", "to", "step", "count", "random", "scale"};

static cs_status refuse(const cs_yaml_node *node, const char *key, const char *text, cs_diag *diag)
{
    return cs_diag_set_at(diag, CS_ERR_SCENARIO, node->where, node->line, node->column,
                          "vary: %s: %s", key, text);
}

static bool number(const cs_yaml_node *node, double *out, bool *whole)
{
    char *end;

    if (node->kind != CS_YAML_SCALAR || node->text[0] == '\0')
        return false;
    *out = strtod(node->text, &end);
    if (*end != '\0' || !isfinite(*out))
        return false;
    if (*out != floor(*out) || fabs(*out) > EXACT)
        *whole = false;
    return true;
}

static cs_status sort_words(const cs_yaml_node *map, const char *key,
                            const cs_yaml_node *given[NR_WORDS], cs_diag *diag)
{
    for (const cs_yaml_node *n = map->first; n != NULL; n = n->next) {
        size_t i = 0;

        while (i < NR_WORDS && strcmp(words[i], n->key) != 0)
            i++;
        if (i == NR_WORDS)
            return refuse(n, key, "a range has from, to, step, count, random and scale", diag);
        given[i] = n;
    }
    if (given[FROM] == NULL || given[TO] == NULL)
        return refuse(map, key, "a range needs from and to", diag);
    if ((given[STEP] != NULL) + (given[COUNT] != NULL) + (given[RANDOM] != NULL) != 1)
        return refuse(map, key, "a range needs one of step, count and random", diag);
    return CS_OK;
}

static cs_status read_scale(const cs_yaml_node *node, const char *key, cs_sweep_range *r,
                            cs_diag *diag)
{
    if (node == NULL)
        return CS_OK;
    if (node->kind != CS_YAML_SCALAR ||
        (strcmp(node->text, "linear") != 0 && strcmp(node->text, "log") != 0))
        return refuse(node, key, "scale is linear or log", diag);
    r->log = strcmp(node->text, "log") == 0;
    return CS_OK;
}

static cs_status read_count(const cs_yaml_node *node, const char *key, cs_sweep_range *r,
                            cs_diag *diag)
{
    bool whole = true;
    double count;

    if (!number(node, &count, &whole) || !whole || count < 1 || count > CS_SWEEP_MOST_POINTS)
        return refuse(node, key, "how many values: 1..1000000", diag);
    r->count = (size_t)count;
    return CS_OK;
}

static cs_status read_step(const cs_yaml_node *node, const char *key, cs_sweep_range *r,
                           cs_diag *diag)
{
    double count;

    if (!number(node, &r->step, &r->whole) || r->step <= 0)
        return refuse(node, key, "step is a number above 0", diag);
    if (r->log && r->step <= 1)
        return refuse(node, key, "on a logarithmic scale step is a factor above 1", diag);
    /* a rounding error must not cost the last value */
    count = (r->log ? log(r->to / r->from) / log(r->step) : (r->to - r->from) / r->step) + 1e-9;
    if (count >= CS_SWEEP_MOST_POINTS)
        return refuse(node, key, "more than 1000000 values", diag);
    r->count = (size_t)count + 1;
    return CS_OK;
}

static uint64_t seed_of(const char *key, uint64_t seed)
{
    seed = cs_hash_mix(seed + CS_HASH_STEP);
    for (; *key != '\0'; key++)
        seed = cs_hash_mix(seed ^ (unsigned char)*key);
    return seed;
}

cs_status cs_sweep_range_read(const cs_yaml_node *map, const char *key, uint64_t seed,
                              cs_sweep_range *r, cs_diag *diag)
{
    const cs_yaml_node *given[NR_WORDS] = {NULL};
    cs_status status = sort_words(map, key, given, diag);

    *r = (cs_sweep_range){.whole = true, .seed = seed_of(key, seed)};
    if (status == CS_OK)
        status = read_scale(given[SCALE], key, r, diag);
    if (status != CS_OK)
        return status;
    for (int i = FROM; i <= TO; i++)
        if (!number(given[i], i == FROM ? &r->from : &r->to, &r->whole))
            return refuse(given[i], key, "from and to are numbers", diag);
    if (r->to < r->from)
        return refuse(given[TO], key, "to is less than from", diag);
    if (r->log && r->from <= 0)
        return refuse(given[FROM], key, "a logarithmic scale begins above 0", diag);
    if (given[STEP] != NULL)
        return read_step(given[STEP], key, r, diag);
    r->random = given[RANDOM] != NULL;
    return read_count(given[r->random ? RANDOM : COUNT], key, r, diag);
}

/* 0 <= . < 1, 53 bits */
static double drawn(const cs_sweep_range *r, size_t i)
{
    return (double)(cs_hash_mix(r->seed + (uint64_t)i * CS_HASH_STEP) >> 11) / EXACT;
}

static double value_of(const cs_sweep_range *r, size_t i)
{
    double part;

    if (r->step != 0)
        return r->log ? r->from * pow(r->step, (double)i) : r->from + r->step * (double)i;
    if (r->random && r->whole && !r->log) /* each as often as the others */
        return r->from + floor(drawn(r, i) * (r->to - r->from + 1));
    part = r->random ? drawn(r, i) : r->count > 1 ? (double)i / (double)(r->count - 1) : 0;
    return r->log ? r->from * pow(r->to / r->from, part) : r->from + (r->to - r->from) * part;
}

const char *cs_sweep_range_text(const cs_sweep_range *r, size_t i, char text[CS_SWEEP_RANGE_TEXT])
{
    const double value = value_of(r, i);

    if (r->whole)
        snprintf(text, CS_SWEEP_RANGE_TEXT, "%.0f", round(value));
    else
        snprintf(text, CS_SWEEP_RANGE_TEXT, "%.12g", value);
    return text;
}
