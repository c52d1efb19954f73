// SPDX-License-Identifier: Apache-2.0
#include "results/rotation/results.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/room.h"

struct cs_rotation_results {
    cs_counted *counts;
    size_t nr_counts, room_counts;
    uint64_t nr_intervals, nr_readings;
    cs_rotated_fairness *commands;
    size_t nr_commands, room_commands;
    cs_rotated_fairness all;
};

cs_status cs_rotation_results_create(cs_rotation_results **out, cs_diag *diag)
{
    cs_rotation_results *r = calloc(1, sizeof *r);

    *out = r;
    return r != NULL ? CS_OK
                     : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for rotated counts");
}

void cs_rotation_results_destroy(cs_rotation_results *r)
{
    if (r == NULL)
        return;
    free(r->counts);
    free(r->commands);
    free(r);
}

static void add_to(cs_rotated_fairness *f, const cs_counted *result)
{
    const uint64_t ran = f->events - f->never + result->ran;
    const double error = result->error < 0 ? -result->error : result->error;

    if (f->events == 0 || result->share < f->least_share)
        f->least_share = result->share;
    if (result->share > f->most_share)
        f->most_share = result->share;
    f->events++;
    f->never += !result->ran;
    f->refused += !result->ran && result->count.pinned;
    f->shares += result->share;
    f->squares += result->share * result->share;
    if (f->squares > 0)
        f->jain = f->shares * f->shares / ((double)f->events * f->squares);
    f->errors += error;
    if (error > f->most_error)
        f->most_error = error;
    if (ran != 0)
        f->mean_error = f->errors / (double)ran;
}

/* NULL: no memory. */
static cs_rotated_fairness *command_of(cs_rotation_results *r, const cs_count *c)
{
    for (size_t i = 0; i < r->nr_commands; i++)
        if (r->commands[i].command == c->command && r->commands[i].family == c->family)
            return &r->commands[i];
    cs_rotated_fairness *commands =
        cs_room(r->commands, &r->room_commands, r->nr_commands, sizeof *commands);

    if (commands == NULL)
        return NULL;
    r->commands = commands;
    cs_rotated_fairness *made = &r->commands[r->nr_commands++];
    *made = (cs_rotated_fairness){.family = c->family, .command = c->command};
    return made;
}

static cs_status add_final(cs_rotation_results *r, const cs_counted *result)
{
    cs_counted *counts = cs_room(r->counts, &r->room_counts, r->nr_counts, sizeof *counts);
    cs_rotated_fairness *command;

    if (counts == NULL)
        return CS_ERR_NO_MEMORY;
    r->counts = counts;
    command = command_of(r, &result->count);
    if (command == NULL)
        return CS_ERR_NO_MEMORY;
    add_to(command, result);
    add_to(&r->all, result);
    counts[r->nr_counts++] = *result;
    return CS_OK;
}

cs_status cs_rotation_results_add(cs_rotation_results *r, const cs_counted *counted)
{
    if (counted->count.final)
        return add_final(r, counted);
    r->nr_intervals++;
    r->nr_readings += counted->ran;
    return CS_OK;
}

const cs_counted *cs_rotation_results_finals(const cs_rotation_results *r, size_t *count)
{
    *count = r->nr_counts;
    return r->counts;
}

uint64_t cs_rotation_results_intervals(const cs_rotation_results *r, uint64_t *readings)
{
    *readings = r->nr_readings;
    return r->nr_intervals;
}

const cs_rotated_fairness *cs_rotation_results_commands(const cs_rotation_results *r, size_t *count)
{
    *count = r->nr_commands;
    return r->commands;
}

cs_rotated_fairness cs_rotation_results_all(const cs_rotation_results *r)
{
    return r->all;
}
