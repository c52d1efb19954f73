// SPDX-License-Identifier: Apache-2.0
/* Which functions the truth's samples were in: by the scenario's functions and the addresses. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/profile/profile.h"
#include "scenario/cpus.h"
#include "scenario/work/process.h"
#include "scenario/work/workload_spec.h"
#include <countersink/formats/perf/abi/perf.h>

/* A sample as the truth has it. */
typedef struct sample {
    unsigned cpu;
    int64_t pid;
    bool somewhere; /* it has an address */
    uint16_t mode;  /* perf's */
    bool guest;     /* a guest's perf took it */
    uint64_t ip;
    const char *chain; /* NULL: none */
} sample;

static bool is_of_guest(const cs_cpu_class *kind, const sample *s)
{
    return kind->is_guest != NULL &&
           (s->guest || s->mode == CS_PERF_MISC_GUEST_KERNEL || s->mode == CS_PERF_MISC_GUEST_USER);
}

static bool is_user(const sample *s)
{
    return s->mode == CS_PERF_MISC_USER || s->mode == CS_PERF_MISC_GUEST_USER;
}

static bool has(const cs_function_spec *f, uint64_t address)
{
    return address >= f->base && address - f->base < f->size;
}

/* The function that began last, as a smaller one may lie in a larger one. */
static void better(const cs_function_spec *f, uint64_t address, const cs_function_spec **best)
{
    if (has(f, address) && (*best == NULL || f->base > (*best)->base))
        *best = f;
}

static const cs_function_spec *function_at(const cs_scenario *s, const sample *at, uint64_t address)
{
    const cs_function_spec *best = NULL;
    const bool of_guest = is_of_guest(cs_scenario_cpu_class(s, at->cpu), at);

    for (size_t w = 0; w < s->nr_workloads; w++)
        for (size_t k = 0; k < s->workloads[w].nr_segments; k++) {
            const cs_segment_spec *segment = &s->workloads[w].segments[k];
            unsigned cpu = 0;

            while (cpu < cs_scenario_cpus(s) && !s->workloads[w].cpus[cpu])
                cpu++;
            if (cpu == cs_scenario_cpus(s))
                continue;
            const cs_cpu_class *kind = cs_scenario_cpu_class(s, cpu);
            if ((kind->is_guest != NULL && kind->is_guest(segment->mode)) != of_guest)
                continue;
            for (size_t i = 0; i < segment->nr_functions; i++) {
                const cs_function_spec *f = &segment->functions[i];
                const bool kernel = kind->is_kernel(s, segment->mode, f->base);

                if (kernel != is_user(at) && (kernel || segment->pid == (uint32_t)at->pid))
                    better(f, address, &best);
            }
        }
    for (size_t i = 0; i < s->handler.nr_functions && !is_user(at) && !of_guest; i++)
        better(&s->handler.functions[i], address, &best);
    return best;
}

/* -1 is nobody's; but a context of a scenario may be all ones, and is called by its name. */
static void process_of(const cs_scenario *s, int64_t pid, char out[32])
{
    const char *name =
        pid >= -1 && pid <= UINT32_MAX ? cs_scenario_process(s, (uint32_t)pid) : NULL;

    if (name != NULL)
        snprintf(out, 32, "%.15s", name);
    else
        snprintf(out, 32, "pid %" PRId64, pid);
}

static bool push(cs_profileread_text *text, const cs_scenario *s, const sample *at,
                 uint64_t address, bool is_call)
{
    const cs_function_spec *f = function_at(s, at, is_call ? address - 1 : address);
    char number[24];

    if (f != NULL)
        return cs_profileread_push(text, f->name, strlen(f->name));
    snprintf(number, sizeof number, "0x%" PRIx64, address);
    return cs_profileread_push(text, number, strlen(number));
}

/* The process, then the chain from its outer end. */
static bool tell(cs_profileread_text *text, const cs_scenario *s, const sample *at)
{
    char process[32];

    process_of(s, at->pid, process);
    if (!cs_profileread_clear(text) || !cs_profileread_push(text, process, strlen(process)))
        return false;
    if (!at->somewhere)
        return true;
    if (at->chain == NULL || *at->chain == '\0')
        return push(text, s, at, at->ip, false);
    for (const char *end = at->chain + strlen(at->chain), *from; end > at->chain; end = from - 1) {
        from = end;
        while (from > at->chain && from[-1] != ';')
            from--;
        if (!push(text, s, at, strtoull(from, NULL, 16), from != at->chain))
            return false;
        if (from == at->chain)
            break;
    }
    return true;
}

static const char query_sql[] =
    "SELECT DISTINCT cpu, pid, mode, guest, ip, chain FROM told ORDER BY 1,2,3,4,5,6";
static const char insert_sql[] = "INSERT INTO place VALUES(?,?,?,?,?,?,?)";

static void bind(sqlite3_stmt *insert, sqlite3_stmt *query)
{
    for (int i = 0; i < 6; i++)
        sqlite3_bind_value(insert, i + 1, sqlite3_column_value(query, i));
}

cs_status cs_check_profile_places(cs_checking *check)
{
    const cs_scenario *s = NULL;
    sqlite3_stmt *query = NULL, *insert = NULL;
    cs_profileread_text text = {0};
    cs_status status = cs_check_load(check, &s);

    if (status == CS_OK)
        status = cs_check_do(check, "CREATE TABLE place(cpu INTEGER, pid INTEGER, mode INTEGER, "
                                    "guest INTEGER, ip INTEGER, chain TEXT, stack TEXT)");
    if (status == CS_OK)
        status = cs_check_prepare(check, query_sql, &query);
    if (status == CS_OK)
        status = cs_check_prepare(check, insert_sql, &insert);
    while (status == CS_OK && sqlite3_step(query) == SQLITE_ROW) {
        const sample at = {.cpu = (unsigned)sqlite3_column_int64(query, 0),
                           .pid = sqlite3_column_int64(query, 1),
                           .somewhere = sqlite3_column_type(query, 2) != SQLITE_NULL,
                           .mode = (uint16_t)sqlite3_column_int(query, 2),
                           .guest = sqlite3_column_int(query, 3) != 0,
                           .ip = (uint64_t)sqlite3_column_int64(query, 4),
                           .chain = (const char *)sqlite3_column_text(query, 5)};

        if (!tell(&text, s, &at)) {
            status = cs_diag_set(check->diag, CS_ERR_NO_MEMORY, NULL, "no memory for a stack");
            break;
        }
        sqlite3_clear_bindings(insert);
        bind(insert, query);
        cs_check_text(check, insert, 7, text.text, -1);
        status = cs_check_insert(check, insert, NULL, 0);
    }
    sqlite3_finalize(query);
    sqlite3_finalize(insert);
    free(text.text);
    return status == CS_OK ? cs_check_do(check, "CREATE INDEX place_at ON place(ip, pid, cpu)")
                           : status;
}
