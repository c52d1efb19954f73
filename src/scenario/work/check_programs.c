// SPDX-License-Identifier: Apache-2.0
/* Real programs: functions that are given by name get their place from the file's symbols. */
#define _XOPEN_SOURCE 700
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/common/elf_program.h"
#include "scenario/check.h"
#include "scenario/work/workload_spec.h"
#include "scenario/yaml/suggest.h"

#define PAGE UINT64_C(4096)
#define NR_CANDIDATES 3u

/* Names that may be meant, by falling nearness: "'a', 'b'"; "" where none is near. */
static void candidates(const cs_elf_program *program, const char *name, char out[256])
{
    const char *best[NR_CANDIDATES] = {NULL};
    size_t used = 0;

    *out = '\0';
    for (unsigned i = 0; i < NR_CANDIDATES; i++) {
        cs_suggest suggest = cs_suggest_begin(name);
        const cs_elf_symbol *symbol;

        for (size_t k = 0; (symbol = cs_elf_program_symbol(program, k)) != NULL; k++) {
            bool known = false;

            for (unsigned j = 0; j < i; j++)
                known |= strcmp(best[j], symbol->name) == 0;
            if (!known)
                cs_suggest_offer(&suggest, symbol->name);
        }
        best[i] = cs_suggest_end(&suggest);
        if (best[i] == NULL)
            return;
        used += (size_t)snprintf(out + used, 256 - used, "%s'%.60s'", i != 0 ? ", " : "", best[i]);
    }
}

/* A function's instructions lie at multiples of 4 in a scenario: the part of the symbol that does. */
static cs_status place(cs_check *check, cs_function_spec *f, const cs_elf_symbol *symbol,
                       uint64_t bias)
{
    const uint64_t begin = (symbol->addr + bias + 3) & ~UINT64_C(3);
    const uint64_t end = (symbol->addr + bias + symbol->size) & ~UINT64_C(3);

    if (end <= begin || end - begin > UINT32_MAX - 3)
        return cs_check_fail(
            check, "'%s' has %llu bytes at 0x%llx: there is no room for an instruction",
            symbol->name, (unsigned long long)symbol->size, (unsigned long long)symbol->addr);
    f->base = begin;
    f->size = end - begin;
    f->of_program = true;
    return CS_OK;
}

static cs_status find_symbol(cs_check *check, const cs_workload_spec *w, cs_function_spec *f,
                             const char *name, const cs_elf_program *program)
{
    const uint64_t bias = cs_elf_program_moves(program) ? w->program_base : 0;
    const cs_elf_symbol *symbol = cs_elf_program_find(program, name);
    char near[256];

    if (symbol != NULL)
        return place(check, f, symbol, bias);
    candidates(program, name, near);
    return cs_check_fail(check, "%s has no function '%s'%s%s%s", w->program, name,
                         *near != '\0' ? "; did you mean " : "", near, *near != '\0' ? "?" : "");
}

static cs_status place_function(cs_check *check, const cs_workload_spec *w, const char *path,
                                cs_function_spec *f, const cs_elf_program *program)
{
    const bool base = cs_check_at(check, "%s.base", path) != NULL;
    const bool size = cs_check_at(check, "%s.size", path) != NULL;

    if (base != size) {
        cs_check_at(check, "%s.%s", path, base ? "base" : "size");
        return cs_check_fail(check,
                             "base and size belong together; without both, the symbol's are taken");
    }
    if (base)
        return CS_OK;
    cs_check_at(check, "%s.name", path);
    return find_symbol(check, w, f, f->name, program);
}

/* Callers that are no functions of the segment have to be symbols. */
static cs_status place_callers(cs_check *check, const cs_workload_spec *w, const char *path,
                               const cs_segment_spec *segment, cs_function_spec *f,
                               const cs_elf_program *program)
{
    for (size_t k = 0; k < f->nr_callers; k++) {
        cs_function_spec caller = {.of_program = true};
        cs_status status;
        bool listed = false;

        for (size_t i = 0; i < segment->nr_functions; i++)
            listed |= strcmp(segment->functions[i].name, f->callers[k]) == 0;
        if (listed)
            continue;
        cs_check_at(check, "%s.callers.%zu", path, k);
        status = find_symbol(check, w, &caller, f->callers[k], program);
        if (status != CS_OK)
            return status;
        f->caller_specs[k] = (cs_caller_spec){.base = caller.base, .size = caller.size};
    }
    return CS_OK;
}

static cs_status keep_program(cs_check *check, cs_workload_spec *w, const char *path,
                              const cs_elf_program *program)
{
    cs_program_spec *p = cs_yaml_alloc(check->memory, sizeof *p, check->diag);
    const uint64_t bias = cs_elf_program_moves(program) ? w->program_base : 0;
    const cs_elf_text *texts;
    const uint8_t *id;
    unsigned nr;
    char *real;

    if (p == NULL)
        return CS_ERR_NO_MEMORY;
    real = realpath(path, NULL);
    p->path = cs_yaml_copy(check->memory, real != NULL ? real : path,
                           strlen(real != NULL ? real : path), check->diag);
    free(real);
    if (p->path == NULL)
        return CS_ERR_NO_MEMORY;
    id = cs_elf_program_build_id(program, &p->build_id_bytes);
    if (id != NULL)
        memcpy(p->build_id, id, p->build_id_bytes);
    texts = cs_elf_program_texts(program, &nr);
    for (unsigned i = 0; i < nr && i < CS_PROGRAM_TEXTS; i++) {
        const uint64_t skew = texts[i].addr % PAGE;

        p->texts[p->nr_texts++] = (struct cs_program_text){
            texts[i].addr + bias - skew, (texts[i].bytes + skew + PAGE - 1) / PAGE * PAGE,
            texts[i].offset - skew};
    }
    w->loaded = p;
    return CS_OK;
}

static cs_status place_functions(cs_check *check, size_t number, const cs_elf_program *program)
{
    cs_workload_spec *w = &check->scenario->workloads[number];
    cs_status status = CS_OK;

    for (size_t i = 0; i < w->nr_segments; i++)
        for (size_t k = 0; k < w->segments[i].nr_functions && status == CS_OK; k++) {
            cs_function_spec *f = &w->segments[i].functions[k];
            char path[96];

            snprintf(path, sizeof path, "workloads.%zu.segments.%zu.functions.%zu", number, i, k);
            status = place_function(check, w, path, f, program);
            if (status == CS_OK)
                status = cs_check_caller_room(check, f);
            if (status == CS_OK)
                status = place_callers(check, w, path, &w->segments[i], f, program);
        }
    return status;
}

static cs_status check_program(cs_check *check, size_t number)
{
    cs_workload_spec *w = &check->scenario->workloads[number];
    char path[sizeof check->scenario->folder + CS_PROGRAM_NAME_BYTES];
    cs_elf_program *program;
    cs_diag inner = {0};
    cs_status status;

    cs_check_at(check, "workloads.%zu.program", number);
    if (w->program[0] == '/')
        snprintf(path, sizeof path, "%s", w->program);
    else
        snprintf(path, sizeof path, "%s/%s", check->scenario->folder, w->program);
    if (cs_elf_program_open(path, &program, &inner) != CS_OK)
        return cs_check_fail(check, "%s: %s", w->program, inner.text);
    status = keep_program(check, w, path, program);
    if (status == CS_OK)
        status = place_functions(check, number, program);
    cs_elf_program_close(program);
    return status;
}

cs_status cs_check_programs(cs_check *check)
{
    cs_status status = CS_OK;

    for (size_t i = 0; i < check->scenario->nr_workloads && status == CS_OK; i++)
        if (check->scenario->workloads[i].program[0] != '\0')
            status = check_program(check, i);
    return status;
}
