// SPDX-License-Identifier: Apache-2.0
#include "results/rotation/results.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/room.h"

CS_SOFT_PRINTED(rotated_result, cs_rotated_result, "rotated result")
{
    char name[40];
    fprintf(out,
            "command %u, %s/%s/ on cpu %u, share %.4f, scaled %.1f, truth %" PRIu64 ", error %.4f",
            what->count.command, what->count.pmu, cs_rotated_name(&what->count, name, sizeof name),
            what->count.cpu, what->share, what->scaled, what->truth, what->error);
}

struct cs_rotation_results {
    cs_timeline *const *timelines;
    cs_rotated_result *counts;
    size_t nr_counts, room_counts;
    cs_rotated_result interval; /* the last one: there is no end of them */
    uint64_t nr_intervals, nr_readings;
    cs_rotated_fairness *commands;
    size_t nr_commands, room_commands;
    cs_rotated_fairness all;
};

cs_status cs_rotation_results_create(cs_timeline *const timelines[], cs_rotation_results **out,
                                     cs_diag *diag)
{
    cs_rotation_results *r = calloc(1, sizeof *r);

    *out = r;
    if (r == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for rotated counts");
    r->timelines = timelines;
    return CS_OK;
}

void cs_rotation_results_destroy(cs_rotation_results *r)
{
    if (r == NULL)
        return;
    free(r->counts);
    free(r->commands);
    free(r);
}

static uint64_t truth_of(const cs_rotation_results *r, const cs_rotated_count *c)
{
    const cs_rotated_family *family = c->family;
    const unsigned timeline = family->timeline + (family->of_cpus ? c->cpu : c->unit);

    if (c->has_truth)
        return c->truth;
    if (family->truth != NULL)
        return family->truth(c, r->timelines);
    return cs_timeline_sum(r->timelines[timeline], family->first_event + c->event, CS_MODE_ALL,
                           c->from, c->to);
}

static cs_rotated_result result_of(const cs_rotation_results *r, const cs_rotated_count *c)
{
    cs_rotated_result result = {.count = *c,
                                .enabled = c->to - c->from,
                                .truth = truth_of(r, c),
                                .counted = c->running != 0};

    if (!result.counted)
        return result;
    if (result.enabled != 0)
        result.share = (double)c->running / (double)result.enabled;
    result.scaled = (double)c->raw * (double)result.enabled / (double)c->running;
    if (result.truth != 0)
        result.error = result.scaled / (double)result.truth - 1.0;
    return result;
}

static void add_to(cs_rotated_fairness *f, const cs_rotated_result *result)
{
    const uint64_t ran = f->events - f->never + result->counted;
    const double error = result->error < 0 ? -result->error : result->error;

    if (f->events == 0 || result->share < f->least_share)
        f->least_share = result->share;
    if (result->share > f->most_share)
        f->most_share = result->share;
    f->events++;
    f->never += !result->counted;
    f->refused += !result->counted && result->count.pinned;
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
static cs_rotated_fairness *command_of(cs_rotation_results *r, const cs_rotated_count *c)
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

static const cs_rotated_result *add_final(cs_rotation_results *r, const cs_rotated_result *result)
{
    cs_rotated_result *counts = cs_room(r->counts, &r->room_counts, r->nr_counts, sizeof *counts);
    cs_rotated_fairness *command;

    if (counts == NULL)
        return NULL;
    r->counts = counts;
    command = command_of(r, &result->count);
    if (command == NULL)
        return NULL;
    add_to(command, result);
    add_to(&r->all, result);
    counts[r->nr_counts] = *result;
    return &counts[r->nr_counts++];
}

const cs_rotated_result *cs_rotation_results_add(cs_rotation_results *r, const cs_rotated_count *c)
{
    const cs_rotated_result result = result_of(r, c);

    if (c->final)
        return add_final(r, &result);
    r->interval = result;
    r->nr_intervals++;
    r->nr_readings += result.counted;
    return &r->interval;
}

const cs_rotated_result *cs_rotation_results_finals(const cs_rotation_results *r, size_t *count)
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
