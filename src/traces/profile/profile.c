// SPDX-License-Identifier: Apache-2.0
#include "traces/profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/common/times.h"

cs_status cs_profile_check(const cs_scenario *s, const cs_trace_request *request, const char *what,
                           cs_diag *diag)
{
    cs_trace_events *events;
    bool counts;
    const cs_status status = cs_trace_events_check(s, request, what, &counts, &events, diag);

    cs_trace_events_destroy(events);
    if (status == CS_OK && counts)
        return cs_diag_set(diag, CS_ERR_SCENARIO, s->source,
                           "format %s is for samples, and no perf command of %s samples; csv and "
                           "perf-data hold counts",
                           request->format, s->name);
    return status;
}

static void put(void *ctx, const cs_trace_record *record)
{
    cs_profile *p = ctx;

    if (record->type == CS_TRACE_SAMPLE)
        cs_stacks_add(&p->stacks, record);
}

static cs_status end(void *ctx, cs_cycle cycle, cs_diag *diag)
{
    cs_profile *p = ctx;
    FILE *file = p->file;
    cs_status status = CS_OK;

    p->end_ns = cs_trace_ns(p->scenario, cycle);
    if (p->stacks.failed)
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the stacks of a trace");
    if (status == CS_OK)
        status = p->writer->write(p, file, diag);
    p->file = NULL;
    const bool failed = ferror(file) != 0;
    if ((fclose(file) != 0 || failed) && status == CS_OK)
        status =
            cs_diag_set(diag, CS_ERR_IO, p->request->output, "cannot write: %s", strerror(errno));
    return status == CS_OK
               ? cs_trace_feed_status(p->feed, p->request->output, p->writer->what, diag)
               : status;
}

void cs_profile_close(void *state)
{
    cs_profile *p = state;

    if (p->file != NULL)
        fclose(p->file);
    cs_trace_tasks_destroy(p->tasks[0]);
    cs_trace_tasks_destroy(p->tasks[1]);
    cs_stacks_free(&p->stacks);
    cs_trace_feed_destroy(p->feed);
    free(p);
}

cs_status cs_profile_open(const cs_trace_place *place, const cs_profile_writer *writer,
                          void **state, cs_run_listener *listener, cs_diag *diag)
{
    cs_profile *p = calloc(1, sizeof *p);
    const cs_trace_sink sink = {.record = put, .end = end, .ctx = p};

    *state = NULL;
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
    p->scenario = place->scenario;
    p->request = place->request;
    p->writer = writer;
    cs_status status = cs_stacks_init(&p->stacks, p->scenario, writer->by_name, diag);
    if (status == CS_OK)
        status = cs_trace_feed_create(place, &sink, listener, &p->feed, diag);
    for (unsigned guest = 0; guest < 2 && status == CS_OK; guest++)
        status = cs_trace_tasks_create(p->scenario, guest != 0, &p->tasks[guest], diag);
    if (status == CS_OK && (p->file = fopen(place->path, "wb")) == NULL)
        status =
            cs_diag_set(diag, CS_ERR_IO, p->request->output, "cannot write: %s", strerror(errno));
    if (status != CS_OK) {
        cs_profile_close(p);
        return status;
    }
    p->events = p->feed->events;
    *state = p;
    return CS_OK;
}

const char *cs_profile_process(const cs_profile *p, uint32_t pid,
                               char out[CS_PROFILE_PROCESS_BYTES])
{
    for (unsigned guest = 0; guest < 2; guest++)
        for (size_t i = 0; i < p->tasks[guest]->nr_tasks; i++)
            if (p->tasks[guest]->tasks[i].pid == pid)
                return p->tasks[guest]->tasks[i].comm;
    snprintf(out, CS_PROFILE_PROCESS_BYTES, "pid %" PRId64, cs_profile_pid(pid));
    return out;
}

void cs_profile_json(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        if ((unsigned char)*text < 0x20)
            fprintf(file, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, file);
    }
    fputc('"', file);
}

const char *cs_profile_event(const cs_profile *p, size_t event, char out[CS_PROFILE_EVENT_BYTES])
{
    const cs_trace_event *list = p->events->list;
    unsigned before = 0;

    for (size_t i = 0; i < event; i++)
        before += strcmp(list[i].name, list[event].name) == 0;
    if (before == 0)
        snprintf(out, CS_PROFILE_EVENT_BYTES, "%s", list[event].name);
    else
        snprintf(out, CS_PROFILE_EVENT_BYTES, "%s#%u", list[event].name, before + 1);
    return out;
}

/* ---- sums ---- */

static int by_key(const void *a, const void *b)
{
    const cs_profile_total *x = a, *y = b;

    if (x->event != y->event)
        return (x->event > y->event) - (x->event < y->event);
    if (x->cpu != y->cpu)
        return (x->cpu > y->cpu) - (x->cpu < y->cpu);
    if (x->pid != y->pid)
        return (x->pid > y->pid) - (x->pid < y->pid);
    return (x->stack > y->stack) - (x->stack < y->stack);
}

/* Sorts, and adds up what is alike: how many there are then. */
static size_t join(cs_profile_total *totals, size_t nr)
{
    size_t kept = 0;

    if (nr != 0)
        qsort(totals, nr, sizeof *totals, by_key);
    for (size_t i = 0; i < nr; i++)
        if (kept != 0 && by_key(&totals[kept - 1], &totals[i]) == 0) {
            totals[kept - 1].samples += totals[i].samples;
            totals[kept - 1].periods = cs_profile_add(totals[kept - 1].periods, totals[i].periods);
        } else {
            totals[kept++] = totals[i];
        }
    return kept;
}

cs_profile_total *cs_profile_totals(cs_profile *p, bool cpus, size_t *nr)
{
    cs_spill *samples = p->stacks.samples;
    cs_profile_total *totals = NULL;
    size_t room = 0, used = 0;

    *nr = 0;
    for (size_t i = 0; i < samples->count; i++) {
        const cs_stacks_sample *s = cs_spill_at(samples, i);

        if (used == room) { /* what is alike makes room first */
            used = join(totals, used);
            if (used >= room / 2) {
                const size_t more = room != 0 ? 2 * room : 4096;
                cs_profile_total *moved = realloc(totals, more * sizeof *totals);

                if (moved == NULL) {
                    free(totals);
                    return NULL;
                }
                totals = moved;
                room = more;
            }
        }
        totals[used++] = (cs_profile_total){.event = s->event,
                                            .cpu = cpus ? s->cpu : 0,
                                            .pid = s->pid,
                                            .stack = s->stack,
                                            .samples = 1,
                                            .periods = s->period};
    }
    *nr = join(totals, used);
    return totals;
}

/* ---- order ---- */

static int by_group(const void *a, const void *b)
{
    const cs_profile_place *x = a, *y = b;

    if (x->event != y->event)
        return (x->event > y->event) - (x->event < y->event);
    if (x->cpu != y->cpu)
        return (x->cpu > y->cpu) - (x->cpu < y->cpu);
    if (x->pid != y->pid)
        return (x->pid > y->pid) - (x->pid < y->pid);
    return (x->sample > y->sample) - (x->sample < y->sample);
}

cs_profile_place *cs_profile_order(cs_profile *p, bool processes)
{
    cs_spill *samples = p->stacks.samples;
    cs_profile_place *order = malloc((samples->count + 1) * sizeof *order);

    for (size_t i = 0; order != NULL && i < samples->count; i++) {
        const cs_stacks_sample *s = cs_spill_at(samples, i);

        order[i] = (cs_profile_place){s->event, s->cpu, processes ? s->pid : 0, (uint32_t)i};
    }
    if (order != NULL && samples->count != 0)
        qsort(order, samples->count, sizeof *order, by_group);
    return order;
}

size_t cs_profile_group_end(const cs_profile *p, const cs_profile_place *order, size_t from,
                            bool processes)
{
    size_t end = from;

    while (end < p->stacks.samples->count && order[end].event == order[from].event &&
           order[end].cpu == order[from].cpu && (!processes || order[end].pid == order[from].pid))
        end++;
    return end;
}
