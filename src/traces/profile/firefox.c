// SPDX-License-Identifier: Apache-2.0
/* The format `firefox`: the processed profile of profiler.firefox.com, version 60 of it (newer releases
 * upgrade it). A thread is what an event sampled of a process on a CPU. */
#include <inttypes.h>
#include <stdlib.h>

#include "formats/common/profile_read.h"
#include "traces/profile/profile.h"

#define WHAT "a profile for the Firefox Profiler"

/* ---- tables that all threads share ---- */

/* Strings: of each symbol its name, then of each frame without one its address, then the last. */
typedef struct tables {
    cs_profile *profile;
    FILE *file;
    size_t nr_symbols, nr_frames, nr_stacks;
} tables;

/* A function is a symbol, or the address of a frame that has none; the last is that of samples that have
 * no address, and so are the last frame and stack. */
static size_t function_of(const tables *t, size_t frame)
{
    const cs_stacks *s = &t->profile->stacks;

    if (frame == t->nr_frames)
        return t->nr_symbols + t->nr_frames;
    return s->frames[frame].symbol != NULL ? (size_t)(s->frames[frame].symbol - s->symbols->list)
                                           : t->nr_symbols + frame;
}

/* "key":[value,value]: one for each of `nr`. */
typedef int64_t column(const tables *t, size_t at);

static void put_column(const tables *t, const char *key, size_t nr, column *value)
{
    fprintf(t->file, ",\n\"%s\":[", key);
    for (size_t i = 0; i < nr; i++) {
        const int64_t number = value != NULL ? value(t, i) : INT64_MIN;

        if (number == INT64_MIN)
            fprintf(t->file, "%snull", i != 0 ? "," : "");
        else
            fprintf(t->file, "%s%" PRId64, i != 0 ? "," : "", number);
    }
    fputc(']', t->file);
}

static int64_t zero(const tables *t, size_t at)
{
    (void)t, (void)at;
    return 0;
}

static int64_t none(const tables *t, size_t at)
{
    (void)t, (void)at;
    return -1;
}

static int64_t itself(const tables *t, size_t at)
{
    (void)t;
    return (int64_t)at;
}

static int64_t function(const tables *t, size_t at)
{
    return (int64_t)function_of(t, at);
}

/* Numbers of JavaScript hold 53 bits: what is above stands in the name alone. */
static int64_t address(const tables *t, size_t at)
{
    const uint64_t most = UINT64_C(1) << 53;

    return at < t->nr_frames && t->profile->stacks.frames[at].address < most
               ? (int64_t)t->profile->stacks.frames[at].address
               : -1;
}

/* Kernels are the first category, processes the second. */
static int64_t category(const tables *t, size_t at)
{
    return at < t->nr_frames && !t->profile->stacks.frames[at].space.kernel;
}

static int64_t frame_of_stack(const tables *t, size_t at)
{
    return at < t->nr_stacks ? (int64_t)t->profile->stacks.stacks[at].frame : (int64_t)t->nr_frames;
}

static int64_t prefix(const tables *t, size_t at)
{
    const cs_stacks *s = &t->profile->stacks;

    return at < t->nr_stacks && s->stacks[at].caller != CS_STACKS_NONE
               ? (int64_t)s->stacks[at].caller
               : INT64_MIN;
}

static void put_flags(const tables *t, const char *key, size_t nr)
{
    fprintf(t->file, ",\n\"%s\":[", key);
    for (size_t i = 0; i < nr; i++)
        fprintf(t->file, "%sfalse", i != 0 ? "," : "");
    fputc(']', t->file);
}

static void put_strings(const tables *t)
{
    const cs_stacks *s = &t->profile->stacks;

    fputs("\"stringArray\":[", t->file);
    for (size_t i = 0; i < t->nr_symbols; i++) {
        cs_profile_json(t->file, s->symbols->list[i].name);
        fputs(",\n", t->file);
    }
    for (size_t i = 0; i < t->nr_frames; i++)
        fprintf(t->file, "\"0x%" PRIx64 "\",\n", s->frames[i].address);
    fputs("\"" CS_PROFILEREAD_NO_ADDRESS "\"]", t->file);
}

static void put_shared(const tables *t)
{
    const size_t functions = t->nr_symbols + t->nr_frames + 1, frames = t->nr_frames + 1,
                 stacks = t->nr_stacks + 1;

    fputs("\"shared\":{", t->file);
    put_strings(t);
    fprintf(t->file, ",\n\"stackTable\":{\"length\":%zu", stacks);
    put_column(t, "prefix", stacks, prefix);
    put_column(t, "frame", stacks, frame_of_stack);
    fprintf(t->file, "},\n\"frameTable\":{\"length\":%zu", frames);
    put_column(t, "address", frames, address);
    put_column(t, "inlineDepth", frames, zero);
    put_column(t, "category", frames, category);
    put_column(t, "subcategory", frames, zero);
    put_column(t, "func", frames, function);
    put_column(t, "nativeSymbol", frames, NULL);
    put_column(t, "innerWindowID", frames, zero);
    put_column(t, "line", frames, NULL);
    put_column(t, "column", frames, NULL);
    fprintf(t->file, "},\n\"funcTable\":{\"length\":%zu", functions);
    put_column(t, "name", functions, itself);
    put_flags(t, "isJS", functions);
    put_flags(t, "relevantForJS", functions);
    put_column(t, "resource", functions, none);
    put_column(t, "source", functions, NULL);
    put_column(t, "lineNumber", functions, NULL);
    put_column(t, "columnNumber", functions, NULL);
    fputs("},\n\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],\"type\":[]},\n"
          "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],"
          "\"functionSize\":[]},\n"
          "\"sources\":{\"length\":0,\"uuid\":[],\"filename\":[]}},\n",
          t->file);
}

/* ---- threads ---- */

/* Milliseconds, to the nanosecond. */
static void put_ms(FILE *file, uint64_t ns)
{
    fprintf(file, "%" PRIu64 ".%06" PRIu64, ns / 1000000, ns % 1000000);
}

static void put_thread(const tables *t, const cs_profile_place *order, size_t from, size_t end)
{
    cs_spill *samples = t->profile->stacks.samples;
    char event[CS_PROFILE_EVENT_BYTES], title[CS_PROFILE_EVENT_BYTES + 16],
        process[CS_PROFILE_PROCESS_BYTES];
    FILE *file = t->file;

    snprintf(title, sizeof title, "%s, CPU %u",
             cs_profile_event(t->profile, order[from].event, event), order[from].cpu);
    fputs("{\"name\":", file);
    cs_profile_json(file, title);
    fputs(",\"processName\":", file);
    cs_profile_json(file, cs_profile_process(t->profile, order[from].pid, process));
    fprintf(file,
            ",\"pid\":\"%" PRId64 "\",\"tid\":\"%" PRId64 ".%zu\",\"isMainThread\":false,"
            "\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,"
            "\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[],\n"
            "\"markers\":{\"length\":0,\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],"
            "\"phase\":[],\"category\":[]},\n"
            "\"samples\":{\"length\":%zu,\"weightType\":\"samples\",\n\"stack\":[",
            cs_profile_pid(order[from].pid), cs_profile_pid(order[from].pid), from, end - from);
    for (size_t i = from; i < end; i++) {
        const cs_stacks_sample *s = cs_spill_at(samples, order[i].sample);

        fprintf(file, "%s%zu", i != from ? "," : "",
                s->stack != CS_STACKS_NONE ? s->stack : t->nr_stacks);
    }
    fputs("],\n\"time\":[", file);
    for (size_t i = from; i < end; i++) {
        fputs(i != from ? "," : "", file);
        put_ms(file, ((const cs_stacks_sample *)cs_spill_at(samples, order[i].sample))->time_ns);
    }
    fputs("],\n\"weight\":[", file);
    for (size_t i = from; i < end; i++)
        fprintf(file, "%s%" PRIu64, i != from ? "," : "",
                ((const cs_stacks_sample *)cs_spill_at(samples, order[i].sample))->period);
    fputs("]}}", file);
}

static void put_meta(const tables *t)
{
    fputs("{\"meta\":{\"preprocessedProfileVersion\":60,\"version\":34,\"interval\":1,"
          "\"startTime\":0,\"processType\":0,\"stackwalk\":1,\"debug\":false,\"symbolicated\":true,"
          "\"usesOnlyOneStackType\":true,\"markerSchema\":[],\"importedFrom\":\"countersink\","
          "\"product\":",
          t->file);
    cs_profile_json(t->file, t->profile->scenario->name);
    fputs(
        ",\n\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},\n"
        "\"categories\":[{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
        "{\"name\":\"Process\",\"color\":\"blue\",\"subcategories\":[\"Other\"]},"
        "{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}],\n"
        "\"profilingStartTime\":0,\"profilingEndTime\":",
        t->file);
    put_ms(t->file, t->profile->end_ns);
    fputs("},\n\"libs\":[],\"pages\":[],\"counters\":[],\n", t->file);
}

static cs_status write_profile(cs_profile *p, FILE *file, cs_diag *diag)
{
    const tables t = {p, file, p->stacks.symbols->nr, p->stacks.nr_frames, p->stacks.nr_stacks};
    cs_profile_place *order = cs_profile_order(p, true);

    if (order == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for " WHAT);
    put_meta(&t);
    put_shared(&t);
    fputs("\"threads\":[", file);
    for (size_t from = 0, end; from < p->stacks.samples->count; from = end) {
        end = cs_profile_group_end(p, order, from, true);
        fputs(from != 0 ? ",\n" : "\n", file);
        put_thread(&t, order, from, end);
    }
    fputs("\n]}\n", file);
    free(order);
    return CS_OK;
}

static const cs_profile_writer writer = {.what = WHAT, .by_name = false, .write = write_profile};

static cs_status check(const cs_scenario *s, const cs_trace_request *request, cs_diag *diag)
{
    return cs_profile_check(s, request, WHAT, diag);
}

static cs_status open_firefox(const cs_trace_place *place, void **state, cs_run_listener *listener,
                              cs_diag *diag)
{
    return cs_profile_open(place, &writer, state, listener, diag);
}

const cs_trace_format cs_trace_firefox = {
    .check = check, .open = open_firefox, .close = cs_profile_close};
