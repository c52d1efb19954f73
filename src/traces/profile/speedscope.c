// SPDX-License-Identifier: Apache-2.0
/* The format `speedscope`: JSON for speedscope.app, a profile for each event on each CPU. The samples
 * stand in it in their order; the outermost frame is the process. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "traces/profile/profile.h"

#define WHAT "a speedscope file"

/* Processes are frames, too: behind them come the functions. */
typedef struct processes {
    uint32_t *pids;
    size_t nr, room;
} processes;

static size_t number_of(const processes *p, uint32_t pid)
{
    size_t i = 0;

    while (i < p->nr && p->pids[i] != pid)
        i++;
    return i;
}

static bool find_processes(cs_profile *profile, processes *out)
{
    cs_spill *samples = profile->stacks.samples;

    for (size_t i = 0; i < samples->count; i++) {
        const uint32_t pid = ((const cs_stacks_sample *)cs_spill_at(samples, i))->pid;

        if (number_of(out, pid) != out->nr)
            continue;
        uint32_t *pids = cs_room(out->pids, &out->room, out->nr, sizeof *pids);
        if (pids == NULL)
            return false;
        out->pids = pids;
        pids[out->nr++] = pid;
    }
    return true;
}

static void put_frames(const cs_profile *p, const processes *processes, FILE *file)
{
    char name[CS_STACKS_NAME_BYTES], title[CS_STACKS_NAME_BYTES];
    const char *comma = "";

    fputs("\"shared\":{\"frames\":[", file);
    for (size_t i = 0; i < processes->nr; i++) {
        snprintf(title, sizeof title, "%s (%" PRId64 ")",
                 cs_profile_process(p, processes->pids[i], name),
                 cs_profile_pid(processes->pids[i]));
        fprintf(file, "%s\n{\"name\":", comma);
        cs_profile_json(file, title);
        fputc('}', file);
        comma = ",";
    }
    for (size_t i = 0; i < p->stacks.nr_frames; i++) {
        const cs_stacks_frame *frame = &p->stacks.frames[i];

        fprintf(file, "%s\n{\"name\":", comma);
        cs_profile_json(file, cs_stacks_frame_name(frame, name));
        if (frame->symbol != NULL) {
            fputs(",\"file\":", file);
            cs_profile_json(file, frame->symbol->object);
        }
        fputc('}', file);
        comma = ",";
    }
    fputs("\n]}", file);
}

/* A profile: samples order[from..end). */
static void put_profile(cs_profile *p, const processes *processes, const cs_profile_place *order,
                        size_t from, size_t end, FILE *file)
{
    char name[CS_PROFILE_EVENT_BYTES], title[CS_PROFILE_EVENT_BYTES + 16];
    uint32_t frames[CS_STACKS_MOST_FRAMES];
    cs_spill *samples = p->stacks.samples;
    uint64_t sum = 0;

    snprintf(title, sizeof title, "%s, CPU %u", cs_profile_event(p, order[from].event, name),
             order[from].cpu);
    fputs("{\"type\":\"sampled\",\"name\":", file);
    cs_profile_json(file, title);
    fputs(",\"unit\":\"none\",\"samples\":[", file);
    for (size_t i = from; i < end; i++) {
        const cs_stacks_sample *s = cs_spill_at(samples, order[i].sample);

        sum = cs_profile_add(sum, s->period);
        fprintf(file, "%s\n[%zu", i != from ? "," : "", number_of(processes, s->pid));
        const size_t nr = cs_stacks_frames(&p->stacks, s->stack, frames);
        for (size_t k = 0; k < nr; k++)
            fprintf(file, ",%zu", processes->nr + frames[k]);
        fputc(']', file);
    }
    fputs("\n],\"weights\":[", file);
    for (size_t i = from; i < end; i++)
        fprintf(file, "%s\n%" PRIu64, i != from ? "," : "",
                ((const cs_stacks_sample *)cs_spill_at(samples, order[i].sample))->period);
    fprintf(file, "\n],\"startValue\":0,\"endValue\":%" PRIu64 "}", sum);
}

static cs_status write_profile(cs_profile *p, FILE *file, cs_diag *diag)
{
    processes processes = {0};
    const char *comma = "";

    cs_profile_place *order = cs_profile_order(p, false);

    if (order == NULL || !find_processes(p, &processes)) {
        free(order);
        free(processes.pids);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for " WHAT);
    }
    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
          "\"exporter\":\"countersink\",\"name\":",
          file);
    cs_profile_json(file, p->scenario->name);
    fputs(",\n", file);
    put_frames(p, &processes, file);
    fputs(",\n\"profiles\":[", file);
    for (size_t from = 0, end; from < p->stacks.samples->count; from = end) {
        end = cs_profile_group_end(p, order, from, false);
        fprintf(file, "%s\n", comma);
        put_profile(p, &processes, order, from, end, file);
        comma = ",";
    }
    fputs("\n]}\n", file);
    free(order);
    free(processes.pids);
    return CS_OK;
}

static const cs_profile_writer writer = {.what = WHAT, .by_name = true, .write = write_profile};

static cs_status check(const cs_scenario *s, const cs_trace_request *request, cs_diag *diag)
{
    return cs_profile_check(s, request, WHAT, diag);
}

static cs_status open_speedscope(const cs_trace_place *place, void **state,
                                 cs_run_listener *listener, cs_diag *diag)
{
    return cs_profile_open(place, &writer, state, listener, diag);
}

const cs_trace_format cs_trace_speedscope = {
    .check = check, .open = open_speedscope, .close = cs_profile_close};
