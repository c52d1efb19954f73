// SPDX-License-Identifier: Apache-2.0
/* What was found, in the words of the unit's page: lockstep/pages/page.h. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/bench.h"
#include "lockstep/pages/describe.h"

typedef struct line {
    char *text;
    size_t size, used;
} line;

static void put(line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(line *l, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (l->used < l->size)
        l->used += (size_t)vsnprintf(l->text + l->used, l->size - l->used, format, args);
    va_end(args);
}

/* ---- registers ---- */

static uint64_t place_of(const cs_foreign_bench *bench, const char *variant, uint64_t addr)
{
    return bench->unit->place != NULL ? bench->unit->place(addr, variant) : addr;
}

static cs_probe_record access_of(const cs_foreign_bench *bench, const char *variant, uint64_t addr,
                                 uint64_t value)
{
    return (cs_probe_record){.kind = CS_PROBE_REG,
                             .source = UINT16_MAX,
                             .addr = place_of(bench, variant, addr),
                             .value = value};
}

const char *cs_foreign_register_name(const cs_foreign_bench *bench, const char *variant,
                                     uint64_t addr, char *out, size_t size)
{
    const cs_probe_record record = access_of(bench, variant, addr, 0);
    cs_page_place place;

    out[0] = '\0';
    if (bench->page == NULL || !cs_page_find(bench->page, variant, &record, &place))
        return out;
    const char *name = cs_page_register_name(&place, out, size);
    if (name != out)
        snprintf(out, size, "%s", name);
    if (place.shift != 0)
        snprintf(out + strlen(out), size - strlen(out), "[%u..]", place.shift);
    return out;
}

/* ---- rows ---- */

/* "write PMCNTENSET = 0xff, 4 bytes" */
static void put_deed(line *l, const cs_foreign_bench *bench, const cs_foreign_deed *d)
{
    char name[CS_FOREIGN_NAME] = "";

    put(l, "%s", d->verb);
    if (d->is_register)
        cs_foreign_register_name(bench, d->variant, d->addr, name, sizeof name);
    if (name[0] != '\0')
        put(l, " %s", name);
    else if (d->has_addr)
        put(l, " 0x%03" PRIx64, d->addr);
    if (d->has_value)
        put(l, " = 0x%" PRIx64, d->value);
    if (d->bytes != 0)
        put(l, ", %u bytes", d->bytes);
    if (d->each != NULL)
        put(l, ", %s %u", d->each, d->number);
    if (d->behind != NULL)
        put(l, ", %s", d->behind);
}

static bool deed_differs(const cs_foreign_deed *d)
{
    bool differs = false;

    for (unsigned a = 0; a < 2; a++)
        differs |= d->answers[a].compared && d->answers[a].model != d->answers[a].rtl;
    return differs;
}

static bool is_first(const cs_foreign_report *r, const cs_foreign_deed *d)
{
    return d->cycle == r->cycle && deed_differs(d) &&
           (d->answers[0].pin == r->pin || d->answers[1].pin == r->pin);
}

static const cs_foreign_deed *tell_rows(const cs_foreign_bench *bench, cs_foreign_report *r)
{
    const cs_foreign_deed *first = NULL;
    unsigned at = 0, to;

    while (at < bench->nr_recent && first == NULL) {
        if (is_first(r, &bench->recent[at]))
            first = &bench->recent[at];
        else
            at++;
    }
    if (first == NULL)
        return NULL;
    to = at + 1 + CS_FOREIGN_ROWS_AFTER;
    r->first_row = at < CS_FOREIGN_ROWS_BEFORE ? at : CS_FOREIGN_ROWS_BEFORE;
    for (unsigned i = at - (unsigned)r->first_row; i < to && i < bench->nr_recent; i++) {
        const cs_foreign_deed *d = &bench->recent[i];
        cs_foreign_row *row = &r->rows[r->nr_rows++];
        line l = {row->text, sizeof row->text, 0};

        row->cycle = d->cycle;
        row->differs = deed_differs(d);
        memcpy(row->answers, d->answers, sizeof row->answers);
        put_deed(&l, bench, d);
    }
    return first;
}

/* ---- the difference ---- */

static void tell_fields(const cs_foreign_bench *bench, const cs_foreign_deed *d,
                        cs_foreign_report *r)
{
    const cs_page *page = bench->page;
    const cs_probe_record model = access_of(bench, d->variant, d->addr, r->model);
    const cs_probe_record rtl = access_of(bench, d->variant, d->addr, r->rtl);
    cs_page_place place;
    cs_page_part part;

    if (!cs_page_find(page, d->variant, &model, &place))
        return;
    for (size_t i = 0; r->nr_parts < CS_FOREIGN_MAX_PARTS &&
                       cs_page_part_at(page, &place, &model, &rtl, i, &part);
         i++)
        if (part.model != part.rtl)
            r->parts[r->nr_parts++] =
                (cs_foreign_part){part.name, part.msb, part.lsb, part.model, part.rtl};
}

void cs_foreign_tell_difference(cs_foreign_bench *bench)
{
    cs_foreign_report *r = bench->report;
    const cs_foreign_deed *d = tell_rows(bench, r);
    const cs_foreign_pin *pin = &bench->unit->pins[cs_foreign_pin_index(bench->unit, r->pin)];
    cs_probe_record record = {.kind = pin->about, .source = UINT16_MAX, .value = r->model};
    const cs_page_section *section;

    snprintf(r->what, sizeof r->what, "%s", pin->tells);
    if (d != NULL && d->each != NULL)
        snprintf(r->what, sizeof r->what, "%s, %s %u", pin->tells, d->each, d->number);
    r->page = bench->unit->page;
    if (bench->page == NULL)
        return;
    if (d != NULL && d->is_register && pin->about == CS_PROBE_REG) {
        record.addr = place_of(bench, d->variant, d->addr);
        cs_foreign_register_name(bench, d->variant, d->addr, r->reg, sizeof r->reg);
        if (pin->width > 2)
            tell_fields(bench, d, r);
        else /* whether it is an error is no matter of the register's own */
            record.addr = UINT64_MAX;
    }
    section = cs_page_governs(bench->page, d != NULL ? d->variant : NULL, &record);
    if (section != NULL) {
        r->page = section->page;
        r->heading = section->heading;
    }
}

/* ---- what was not compared ---- */

static void put_pins(FILE *out, const cs_foreign_bench *bench, const char *why,
                     bool (*is_so)(const cs_foreign_bench *bench, unsigned pin))
{
    const char *before = ftell(out) > 0 ? "; " : "";
    unsigned nr = 0;

    for (unsigned i = 0; bench->unit->pins[i].name != NULL; i++)
        if (is_so(bench, i))
            fprintf(out, "%s%s", nr++ == 0 ? before : ", ", bench->unit->pins[i].name);
    if (nr != 0)
        fprintf(out, " (%s)", why);
}

static bool is_compared(const cs_foreign_bench *bench, unsigned pin)
{
    return bench->unit->pins[pin].output && !bench->unit->pins[pin].followed;
}

static bool has_no_port(const cs_foreign_bench *bench, unsigned pin)
{
    return is_compared(bench, pin) && !cs_foreign_has(bench, pin);
}

static bool never_came(const cs_foreign_bench *bench, unsigned pin)
{
    return is_compared(bench, pin) && cs_foreign_has(bench, pin) &&
           bench->report->looked[pin].compared == 0;
}

static bool stood_still(const cs_foreign_bench *bench, unsigned pin)
{
    const cs_foreign_looked *looked = &bench->report->looked[pin];

    return is_compared(bench, pin) && looked->compared != 0 && !looked->changed &&
           looked->first == 0;
}

static bool has_fewer_bits(const cs_foreign_bench *bench, unsigned pin)
{
    const unsigned bits = bench->design->bits[pin];

    return is_compared(bench, pin) && cs_foreign_has(bench, pin) && bits != 0 &&
           bench->unit->pins[pin].field == 0 && bits < bench->width[pin];
}

static bool is_held(const cs_foreign_bench *bench, unsigned pin)
{
    const cs_foreign_pin *p = &bench->unit->pins[pin];

    return !p->output && !p->strap && !p->bus && !cs_foreign_has(bench, pin) &&
           !(p->instead != NULL &&
             cs_foreign_has(bench, (unsigned)cs_foreign_pin_index(bench->unit, p->instead)));
}

cs_status cs_foreign_tell_not_compared(const cs_foreign_bench *bench, cs_diag *diag)
{
    const cs_foreign_design *d = bench->design;
    size_t size;
    FILE *out = open_memstream(&bench->report->not_compared, &size);

    if (out == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a report");
    put_pins(out, bench, "no port", has_no_port);
    if (d->nr_leaves_out != 0)
        fprintf(out, "%s", ftell(out) > 0 ? "; " : "");
    for (size_t i = 0; i < d->nr_leaves_out; i++) {
        fprintf(out, "%s0x%03" PRIx64, i != 0 ? ", " : "", d->leaves_out[i].first);
        if (d->leaves_out[i].last != d->leaves_out[i].first)
            fprintf(out, "-0x%03" PRIx64, d->leaves_out[i].last);
    }
    if (d->nr_leaves_out != 0)
        fprintf(out, " (leaves_out)");
    put_pins(out, bench, "the upper bits: the port has fewer", has_fewer_bits);
    put_pins(out, bench, "held: no port", is_held);
    if (!bench->differs) {
        put_pins(out, bench, "never asked for", never_came);
        put_pins(out, bench, "0 all the time", stood_still);
    }
    if (fclose(out) == 0)
        return CS_OK;
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a report");
}
