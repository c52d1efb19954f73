// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "lockstep/random/search.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wall.h"

#define WINDOW CS_TRIAL_JOBS
#define MOST_CYCLES 3000000u /* of a comparison: model and RTL may both hang */

/* What a scenario was drawn from, until what it showed is learned. */
typedef struct drawn {
    char *text;
    uint64_t *choices;
    size_t nr_choices;
    cs_trial trial;
    bool done;
} drawn;

typedef struct search {
    const cs_search_options *options;
    cs_search_report *report;
    cs_random_dies dies;
    cs_die_shape ready[CS_READY_DIES];
    char root[CS_DIE_PATH]; /* "": there is none */
    cs_steer *steer;
    cs_trials *trials;
    drawn window[WINDOW]; /* by number */
    uint64_t next, learned, begun_ns;
    uint64_t end; /* no scenario from here on is of interest */
    cs_diag *diag;
} search;

static void forget(drawn *d)
{
    free(d->text);
    free(d->choices);
    cs_trial_clear(&d->trial);
    *d = (drawn){0};
}

/* Number `learned` has been compared. */
static cs_status learn(search *s)
{
    drawn *d = &s->window[s->learned % WINDOW];
    cs_status status;

    if (d->trial.status == CS_ERR_SCENARIO) {
        if (s->report->refused++ == 0)
            s->report->why = d->trial.diag;
        forget(d);
        s->learned++;
        return CS_OK;
    }
    s->report->scenarios++;
    s->report->cycles += d->trial.cycles;
    for (unsigned i = 0; i < 5; i++)
        s->report->of_kind[i] += d->trial.of_kind[i];
    status = cs_steer_learn(s->steer, d->choices, d->nr_choices, d->trial.points,
                            d->trial.nr_points, s->diag);
    forget(d);
    s->learned++;
    return status;
}

static cs_status draw(search *s, const cs_steer *steer, uint64_t number, drawn *out)
{
    char name[64];
    cs_draw d;
    cs_status status;

    snprintf(name, sizeof name, "random-%" PRIu64 "-%" PRIu64, s->options->seed, number);
    cs_draw_begin(&d, s->options->seed, number, steer);
    d.root = s->root[0] != '\0' ? s->root : NULL;
    cs_draw_line(&d,
                 "# Drawn by countersink compare --random: seed %" PRIu64 ", scenario %" PRIu64 ".",
                 s->options->seed, number);
    status = cs_random_scenario(&d, &s->dies, s->options->unit, name, s->diag);
    if (status == CS_OK) {
        *out = (drawn){.text = d.text, .choices = d.choices, .nr_choices = d.nr_choices};
        d.text = NULL;
        d.choices = NULL;
    }
    cs_draw_end(&d);
    return status;
}

static bool may_start(const search *s)
{
    return s->next < s->end && cs_trials_room(s->trials) &&
           (s->next < WINDOW || s->window[s->next % WINDOW].done) &&
           (s->options->budget_ns == 0 || s->next == 0 ||
            cs_wall_ns() - s->begun_ns - cs_trials_made_ns(s->trials) < s->options->budget_ns);
}

static cs_status start(search *s)
{
    drawn *d = &s->window[s->next % WINDOW];
    cs_status status = CS_OK;

    /* What later ones have shown must not matter: it is only learned now, one for one. */
    if (s->next >= WINDOW)
        status = learn(s);
    if (status == CS_OK)
        status = draw(s, s->steer, s->next, d);
    if (status == CS_OK)
        status = cs_trials_start(s->trials, s->next, d->text, ".", s->diag);
    s->next++;
    return status;
}

static cs_status wait(search *s)
{
    cs_trial trial;
    cs_status status = cs_trials_next(s->trials, &trial, s->diag);

    if (status != CS_OK)
        return status;
    drawn *d = &s->window[trial.number % WINDOW];
    d->trial = trial;
    d->done = true;
    if (((trial.status != CS_OK && trial.status != CS_ERR_SCENARIO) || cs_trial_differs(&trial)) &&
        trial.number < s->end)
        s->end = trial.number;
    if (s->options->progress != NULL)
        s->options->progress(s->options->progress_ctx, s->next - cs_trials_running(s->trials),
                             cs_steer_points(s->steer));
    return CS_OK;
}

/* Those before the first that differs have all agreed. */
static cs_status conclude(search *s)
{
    cs_status status = CS_OK;

    while (status == CS_OK && s->learned < s->end && s->learned < s->next)
        status = learn(s);
    if (status != CS_OK || s->end >= s->next || s->end == s->options->scenarios)
        return status;
    drawn *d = &s->window[s->end % WINDOW];
    s->report->text = d->text;
    s->report->trial = d->trial;
    d->text = NULL;
    d->trial.points = NULL;
    if (s->report->trial.status != CS_OK && !s->report->trial.died) {
        if (s->diag != NULL)
            *s->diag = s->report->trial.diag;
        return s->report->trial.status;
    }
    return CS_OK;
}

/* With another RTL no die is ready, and each that is drawn for takes a minute or more to make: the
 * smallest with the unit is enough. A unit's sizes are drawn below those of its die. */
static void keep_smallest(search *s)
{
    for (size_t i = 0; i < s->dies.nr; i++)
        if (cs_random_has(&s->ready[i], s->options->unit)) {
            s->dies = (cs_random_dies){&s->ready[i], 1};
            return;
        }
}

static cs_status find_dies(search *s)
{
    /* Without a tree there is less to draw. */
    if (cs_die_root(s->root, NULL) != CS_OK)
        s->root[0] = '\0';
    if (s->options->dies != NULL) {
        s->dies = *s->options->dies;
        return CS_OK;
    }
    s->dies.shapes = s->ready;
    cs_status status = cs_die_ready(s->ready, &s->dies.nr, s->diag);
    if (status == CS_OK && s->dies.nr == 0)
        status = cs_diag_set(s->diag, CS_ERR_UNSUPPORTED, NULL,
                             "there are no ready-made dies to draw scenarios for");
    if (s->options->die.rtl != NULL && s->options->unit != NULL)
        keep_smallest(s);
    return status;
}

static cs_status look(search *s)
{
    cs_compare_options compare = {.limit_cycles = MOST_CYCLES, .die = s->options->die};
    cs_status status = find_dies(s);

    compare.die.ready = s->options->dies == NULL;
    if (status == CS_OK)
        status = cs_steer_create(&s->steer, s->diag);
    if (status == CS_OK)
        status = cs_trials_create(s->options->jobs, &compare, true, CS_SEARCH_SECONDS, &s->trials,
                                  s->diag);
    while (status == CS_OK) {
        while (status == CS_OK && may_start(s))
            status = start(s);
        if (status != CS_OK || cs_trials_running(s->trials) == 0)
            break;
        status = wait(s);
    }
    if (status == CS_OK)
        status = conclude(s);
    if (s->steer != NULL) {
        s->report->points = cs_steer_points(s->steer);
        s->report->declared = cs_steer_declared(s->steer);
    }
    if (s->trials != NULL)
        s->report->nr_declared = cs_trials_declared(s->trials);
    return status;
}

cs_status cs_search(const cs_search_options *options, cs_search_report *report, cs_diag *diag)
{
    search *s = calloc(1, sizeof *s);
    cs_status status;

    *report = (cs_search_report){0};
    if (s == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a search");
    s->options = options;
    s->report = report;
    s->diag = diag;
    s->end = options->scenarios;
    s->begun_ns = cs_wall_ns();
    status = look(s);
    cs_trials_destroy(s->trials);
    cs_steer_destroy(s->steer);
    for (unsigned i = 0; i < WINDOW; i++)
        forget(&s->window[i]);
    free(s);
    return status;
}

void cs_search_clear(cs_search_report *report)
{
    free(report->text);
    cs_trial_clear(&report->trial);
    *report = (cs_search_report){0};
}

cs_status cs_search_draw(const cs_search_options *options, uint64_t number, char **text,
                         cs_diag *diag)
{
    search *s = calloc(1, sizeof *s);
    drawn one = {0};
    cs_status status = CS_ERR_NO_MEMORY;

    *text = NULL;
    if (s == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a search");
    s->options = options;
    s->diag = diag;
    status = find_dies(s);
    if (status == CS_OK)
        status = draw(s, NULL, number, &one);
    *text = one.text;
    one.text = NULL;
    forget(&one);
    free(s);
    return status;
}
