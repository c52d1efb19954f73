// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/looked.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void cs_compare_print_verdict(cs_compare_what what, const cs_exercise *exercise, FILE *out)
{
    char names[512];

    if (what == CS_COMPARE_IDLE) {
        cs_exercise_idle(exercise, names, sizeof names);
        fprintf(out, "IDLE: all agrees, but %s did nothing (compare.idle lists what may be idle); ",
                names);
    } else {
        fprintf(out, what == CS_COMPARE_NOTHING ? "NOTHING: there is no hardware to compare; "
                                                : "EQUAL: ");
    }
}

/* Of a part, or of all that have a name. */
typedef struct sum {
    unsigned parts, idle;
    uint64_t reads, writes, states, edges, samples, errors;
    size_t registers;
} sum;

static void add(sum *s, const cs_exercised *part)
{
    s->parts++;
    s->idle += part->idle;
    s->reads += part->reads;
    s->writes += part->writes;
    s->states += part->states;
    s->edges += part->edges;
    s->samples += part->samples;
}

static bool of_part(const cs_exercised_register *r, const cs_exercised *part)
{
    return r->source == part->part.source || r->source == part->part.also;
}

/* Different addresses, of parts with this name (the first `length` letters of it). */
static size_t count_registers(const cs_exercise *e, const char *name, size_t length,
                              uint64_t *errors)
{
    const cs_exercised_register *rows;
    const size_t nr = cs_exercise_registers(e, &rows);
    uint64_t seen[512];
    size_t count = 0;

    for (size_t i = 0; i < nr; i++) {
        bool is_ours = false, known = false;
        const cs_exercised *part;

        for (size_t k = 0; !is_ours && (part = cs_exercise_at(e, k)) != NULL; k++)
            is_ours = strncmp(part->name, name, length) == 0 &&
                      (part->name[length] == '\0' || part->name[length] == ' ') &&
                      of_part(&rows[i], part);
        if (!is_ours)
            continue;
        *errors += rows[i].errors;
        for (size_t k = 0; !known && k < count; k++)
            known = seen[k] == rows[i].addr;
        if (!known && count < sizeof seen / sizeof seen[0])
            seen[count++] = rows[i].addr;
    }
    return count;
}

static void print_sum(const char *name, int length, const sum *s, FILE *out)
{
    static const struct {
        size_t at;
        const char *what;
    } rows[] = {{offsetof(sum, states), "states"},
                {offsetof(sum, edges), "interrupt edges"},
                {offsetof(sum, samples), "samples"}};

    fprintf(out, "  %-14.*s ", length, name);
    if (s->parts > 1)
        fprintf(out, "%u of %u at work: ", s->parts - s->idle, s->parts);
    if (s->idle == s->parts) {
        fprintf(out, "nothing\n");
        return;
    }
    fprintf(out, "%zu registers, %" PRIu64 " reads, %" PRIu64 " writes", s->registers, s->reads,
            s->writes);
    if (s->errors != 0)
        fprintf(out, ", %" PRIu64 " refused", s->errors);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t value = *(const uint64_t *)(const void *)((const char *)s + rows[i].at);

        if (value != 0)
            fprintf(out, ", %" PRIu64 " %s", value, rows[i].what);
    }
    fprintf(out, "\n");
}

/* "core" of "core 3"; of a name without a number all of it. */
static size_t kind_length(const char *name)
{
    const char *space = strrchr(name, ' ');

    return space != NULL && space[1] >= '0' && space[1] <= '9' ? (size_t)(space - name)
                                                               : strlen(name);
}

static void print_kind(const cs_exercise *e, const char *name, FILE *out)
{
    const size_t length = kind_length(name);
    const cs_exercised *part;
    sum s = {0};

    for (size_t i = 0; (part = cs_exercise_at(e, i)) != NULL; i++)
        if (kind_length(part->name) == length && strncmp(part->name, name, length) == 0)
            add(&s, part);
    s.registers = count_registers(e, name, length, &s.errors);
    print_sum(name, (int)length, &s, out);
}

static void print_registers(const cs_exercise *e, const cs_exercised *part, FILE *out)
{
    const cs_exercised_register *rows;
    const size_t nr = cs_exercise_registers(e, &rows);
    unsigned on_line = 0;

    for (size_t i = 0; i < nr; i++) {
        if (!of_part(&rows[i], part))
            continue;
        fprintf(out, "%s%s 0x%" PRIx64 " %" PRIu64, on_line % 8 == 0 ? "                 " : ", ",
                rows[i].write ? "write" : "read", rows[i].addr, rows[i].times);
        if (++on_line % 8 == 0)
            fprintf(out, "\n");
    }
    if (on_line % 8 != 0)
        fprintf(out, "\n");
}

static void print_part(const cs_exercise *e, const cs_exercised *part, FILE *out)
{
    sum s = {0};

    add(&s, part);
    s.registers = count_registers(e, part->name, strlen(part->name), &s.errors);
    print_sum(part->name, (int)strlen(part->name), &s, out);
    print_registers(e, part, out);
}

void cs_compare_print_looked(const cs_exercise *e, bool all, FILE *out)
{
    const cs_exercised *part;

    for (size_t i = 0; (part = cs_exercise_at(e, i)) != NULL; i++) {
        const cs_exercised *before = i != 0 ? cs_exercise_at(e, i - 1) : NULL;
        const size_t length = kind_length(part->name);

        if (all)
            print_part(e, part, out);
        else if (before == NULL || kind_length(before->name) != length ||
                 strncmp(before->name, part->name, length) != 0)
            print_kind(e, part->name, out);
    }
}
