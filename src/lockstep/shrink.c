// SPDX-License-Identifier: Apache-2.0
#include "lockstep/shrink.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/room.h"
#include "base/wall.h"
#include "lockstep/die/find.h"
#include "scenario/load.h"
#include "scenario/machine/die.h"
#include "scenario/yaml/yaml.h"

#define VALUE_BYTES 24u

/* Something that may go: `count` children of a list or map from number `first` on; or another value
 * of a scalar. */
typedef struct edit {
    cs_yaml_node *node;
    size_t first, count; /* count 0: the value */
    char value[VALUE_BYTES];
} edit;

typedef struct shrink {
    const cs_shrink_options *options;
    const char *folder, *name;
    cs_yaml *memory;
    cs_yaml_node *root;
    cs_trial wanted; /* the difference */
    cs_compare_options compare;
    edit *edits;
    size_t nr_edits, edit_room;
    uint64_t begun_ns;
    cs_shrink_report *report;
    cs_diag *diag;
} shrink;

/* ---- the tree ---- */

/* What an edit takes away, so that it can be put back. */
typedef struct undo {
    cs_yaml_node *first, *last, *node_first, *node_last, *before;
    const char *text;
} undo;

static cs_yaml_node *child_at(const cs_yaml_node *node, size_t at)
{
    cs_yaml_node *child = node->first;

    while (at-- > 0)
        child = child->next;
    return child;
}

static undo apply(const edit *e)
{
    cs_yaml_node *node = e->node;
    undo u = {.node_first = node->first, .node_last = node->last, .text = node->text};

    if (e->count == 0) {
        node->text = e->value;
        return u;
    }
    u.before = e->first != 0 ? child_at(node, e->first - 1) : NULL;
    u.first = u.before != NULL ? u.before->next : node->first;
    u.last = child_at(node, e->first + e->count - 1);
    if (u.before != NULL)
        u.before->next = u.last->next;
    else
        node->first = u.last->next;
    if (u.last == node->last)
        node->last = u.before;
    node->count -= e->count;
    return u;
}

static void take_back(const edit *e, const undo *u)
{
    cs_yaml_node *node = e->node;

    if (e->count == 0) {
        node->text = u->text;
        return;
    }
    if (u->before != NULL)
        u->before->next = u->first;
    node->first = u->node_first;
    node->last = u->node_last;
    node->count += e->count;
}

static bool below(const cs_yaml_node *root, const cs_yaml_node *node)
{
    if (root == node)
        return true;
    for (const cs_yaml_node *child = root->first; child != NULL; child = child->next)
        if (below(child, node))
            return true;
    return false;
}

/* ---- edits ---- */

static cs_status add(shrink *s, const edit *e)
{
    edit *edits = cs_room(s->edits, &s->edit_room, s->nr_edits, sizeof *edits);

    if (edits == NULL)
        return cs_diag_set(s->diag, CS_ERR_NO_MEMORY, NULL, "no memory to shrink a scenario");
    s->edits = edits;
    edits[s->nr_edits++] = *e;
    return CS_OK;
}

/* All pieces of `size` children, those at the end first: what comes later often follows from what
 * comes before. */
static cs_status list_pieces(shrink *s, cs_yaml_node *node, size_t size)
{
    cs_status status = CS_OK;

    if (node->count >= size && (size == 1 || node->kind == CS_YAML_LIST))
        for (size_t end = node->count; end > 0 && status == CS_OK;) {
            const size_t count = end < size ? end : size;

            end -= count;
            status = add(s, &(edit){.node = node, .first = end, .count = count});
        }
    for (cs_yaml_node *child = node->first; child != NULL && status == CS_OK; child = child->next)
        status = list_pieces(s, child, size);
    return status;
}

/* Smaller numbers: 0, 1, and less by and by. */
static cs_status list_values(shrink *s, cs_yaml_node *node)
{
    cs_status status = CS_OK;
    uint64_t value;

    if (node->kind == CS_YAML_SCALAR && cs_number_of(node->text, UINT64_MAX, &value) && value > 1) {
        const uint64_t smaller[] = {0, 1, value / 16, value / 2, value - 1};

        for (size_t i = 0; i < 5 && status == CS_OK; i++) {
            edit e = {.node = node};

            if (i >= 2 && smaller[i] <= 1)
                continue;
            snprintf(e.value, sizeof e.value, value > 9999 ? "0x%" PRIx64 : "%" PRIu64, smaller[i]);
            status = add(s, &e);
        }
    }
    for (cs_yaml_node *child = node->first; child != NULL && status == CS_OK; child = child->next)
        status = list_values(s, child);
    return status;
}

static size_t longest(const cs_yaml_node *node)
{
    size_t most = node->kind == CS_YAML_LIST ? node->count : 0;

    for (const cs_yaml_node *child = node->first; child != NULL; child = child->next) {
        const size_t of_child = longest(child);

        most = of_child > most ? of_child : most;
    }
    return most;
}

/* ---- trying ---- */

static bool is_scenario(const shrink *s, const char *text)
{
    cs_scenario *scenario = NULL;
    const bool good = cs_scenario_parse(text, strlen(text), s->name, s->folder, NULL, 0, &scenario,
                                        NULL) == CS_OK;

    cs_scenario_destroy(scenario);
    return good;
}

/* A ready-made die holds what there is now, so that none has to be made for it. */
static bool on_ready_die(const shrink *s)
{
    cs_die_options options = s->options->die;
    char path[CS_DIE_PATH];
    char *text = cs_yaml_print(s->root, NULL);
    cs_scenario *scenario = NULL;
    cs_die die;
    bool ready = false;

    options.ready = true;
    if (text != NULL && cs_scenario_parse(text, strlen(text), s->name, s->folder, NULL, 0,
                                          &scenario, NULL) == CS_OK) {
        cs_die_of(scenario, &die);
        ready = cs_die_find(&die.shape, &options, path, NULL) == CS_OK;
    }
    cs_scenario_destroy(scenario);
    free(text);
    return ready;
}

static const char *unit_of(const cs_trial *t)
{
    unsigned number;
    const char *name =
        t->what == CS_COMPARE_RECORD ? cs_probe_source_kind(t->kind, t->source, &number) : NULL;

    return name != NULL ? name : "";
}

/* The same kind of record of the same kind of unit differs in the same field. */
static bool same_difference(const cs_trial *a, const cs_trial *b)
{
    if (!cs_trial_differs(a) || a->died != b->died)
        return false;
    if (a->died)
        return true;
    return a->what == b->what && a->kind == b->kind && strcmp(unit_of(a), unit_of(b)) == 0 &&
           strcmp(a->field, b->field) == 0;
}

static bool over(const shrink *s)
{
    return s->options->budget_ns != 0 && cs_wall_ns() - s->begun_ns >= s->options->budget_ns;
}

/* Starts what comes of an edit. False: it is no scenario, or no such edit any more. */
static cs_status start(shrink *s, cs_trials *trials, size_t at, bool *started)
{
    const edit *e = &s->edits[at];
    char *text = NULL;
    cs_status status = CS_OK;

    *started = false;
    if (!below(s->root, e->node) || e->first + e->count > e->node->count)
        return CS_OK;
    const undo u = apply(e);
    text = cs_yaml_print(s->root, NULL);
    take_back(e, &u);
    if (text != NULL && is_scenario(s, text)) {
        status = cs_trials_start(trials, at, text, s->folder, s->diag);
        *started = status == CS_OK;
        if (status == CS_ERR_UNSUPPORTED) /* there can be no such die */
            status = CS_OK;
    }
    free(text);
    return status;
}

/* The first of the edits from *at on that leaves the difference is done; *at becomes the next one. */
static cs_status try_some(shrink *s, cs_trials *trials, size_t *at, bool *smaller)
{
    size_t next = *at, found = s->nr_edits;
    cs_status status = CS_OK;

    while (status == CS_OK && next < s->nr_edits && cs_trials_room(trials)) {
        bool started;

        status = start(s, trials, next, &started);
        next++;
    }
    while (status == CS_OK && cs_trials_running(trials) != 0) {
        cs_trial trial;

        status = cs_trials_next(trials, &trial, s->diag);
        if (status != CS_OK)
            break;
        s->report->trials++;
        if (same_difference(&trial, &s->wanted) && trial.number < found) {
            found = (size_t)trial.number;
            s->report->after = trial;
        }
    }
    *at = found < s->nr_edits ? found + 1 : next;
    if (status != CS_OK || found == s->nr_edits)
        return status;
    edit *e = &s->edits[found];
    *smaller = true;
    if (e->count == 0) {
        char *text = cs_yaml_copy(s->memory, e->value, strlen(e->value), s->diag);

        if (text == NULL)
            return CS_ERR_NO_MEMORY;
        e->node->text = text;
        e->node->plain = true;
        /* Its other values are no longer smaller ones for sure. */
        while (*at < s->nr_edits && s->edits[*at].node == e->node)
            (*at)++;
    } else {
        apply(e);
    }
    return CS_OK;
}

static cs_status try_all(shrink *s, bool *smaller)
{
    cs_trials *trials = NULL;
    cs_status status = cs_trials_create(s->options->jobs, &s->compare, false, s->options->seconds,
                                        &trials, s->diag);

    for (size_t at = 0; status == CS_OK && at < s->nr_edits && !over(s);) {
        status = try_some(s, trials, &at, smaller);
        if (s->options->progress != NULL)
            s->options->progress(s->options->progress_ctx, s->report->trials, s->nr_edits - at);
    }
    if (trials != NULL)
        s->begun_ns += cs_trials_made_ns(trials);
    cs_trials_destroy(trials);
    s->nr_edits = 0;
    return status;
}

static cs_status try_pieces(shrink *s, size_t size, bool *smaller)
{
    const cs_status status = list_pieces(s, s->root, size);

    return status == CS_OK ? try_all(s, smaller) : status;
}

static cs_status try_values(shrink *s, bool *smaller)
{
    const cs_status status = list_values(s, s->root);

    return status == CS_OK ? try_all(s, smaller) : status;
}

/* What a regression needs to be cheap is a ready-made die. Where there is none yet, what has one is tried
 * before all else; where there is one, nothing is done that needs another. */
static cs_status reach_ready_die(shrink *s)
{
    cs_status status;
    bool smaller = false;

    s->compare.die.ready = true;
    if (on_ready_die(s))
        return CS_OK;
    status = try_values(s, &smaller);
    if (status == CS_OK && !smaller)
        status = try_pieces(s, 1, &smaller);
    s->compare.die.ready = smaller || s->options->die.ready;
    return status;
}

/* Large pieces first, then single ones and values as long as something goes. */
static cs_status shrink_tree(shrink *s)
{
    cs_status status = reach_ready_die(s);
    bool smaller = false;

    for (size_t size = longest(s->root) / 2; size > 1 && status == CS_OK && !over(s); size /= 2)
        status = try_pieces(s, size, &smaller);
    do {
        smaller = false;
        if (!s->compare.die.ready)
            s->compare.die.ready = on_ready_die(s);
        if (status == CS_OK)
            status = try_pieces(s, 1, &smaller);
        if (status == CS_OK)
            status = try_values(s, &smaller);
    } while (status == CS_OK && smaller && !over(s));
    return status;
}

/* ---- all together ---- */

static cs_status look_first(shrink *s, const char *text)
{
    cs_status status =
        cs_trial_run(text, s->folder, &s->compare, s->options->seconds, &s->wanted, s->diag);

    if (status != CS_OK)
        return status;
    if (s->wanted.status != CS_OK && !s->wanted.died) {
        if (s->diag != NULL)
            *s->diag = s->wanted.diag;
        return s->wanted.status;
    }
    if (!cs_trial_differs(&s->wanted))
        return cs_diag_set(s->diag, CS_ERR_USAGE, s->name,
                           "model and RTL agree: there is no difference to shrink");
    /* What has not differed by far later does not differ any more. */
    if (s->wanted.what == CS_COMPARE_RECORD && !s->wanted.died)
        s->compare.limit_cycles = 2 * s->wanted.cycle + 65536;
    s->report->before = s->report->after = s->wanted;
    return CS_OK;
}

static cs_status finish(shrink *s)
{
    char comment[256], difference[256];

    cs_trial_tell(&s->report->after, difference, sizeof difference);
    snprintf(comment, sizeof comment, "Shrunk from %.40s. It showed: %.180s", s->name, difference);
    s->report->text = cs_yaml_print(s->root, comment);
    if (s->report->text == NULL)
        return cs_diag_set(s->diag, CS_ERR_NO_MEMORY, NULL, "no memory for a scenario's text");
    s->report->bytes_after = strlen(s->report->text);
    return CS_OK;
}

cs_status cs_shrink(const char *text, const char *name, const char *folder,
                    const cs_shrink_options *options, cs_shrink_report *report, cs_diag *diag)
{
    shrink s = {.options = options,
                .folder = folder,
                .name = name,
                .compare = {.die = options->die},
                .begun_ns = cs_wall_ns(),
                .report = report,
                .diag = diag};
    cs_status status;

    *report = (cs_shrink_report){.bytes_before = strlen(text)};
    status = cs_yaml_create(&s.memory, diag);
    if (status == CS_OK)
        status = cs_yaml_parse(s.memory, text, strlen(text), name, true, &s.root, diag);
    if (status == CS_OK)
        status = look_first(&s, text);
    if (status == CS_OK)
        status = shrink_tree(&s);
    if (status == CS_OK)
        status = finish(&s);
    free(s.edits);
    cs_yaml_destroy(s.memory);
    return status;
}
