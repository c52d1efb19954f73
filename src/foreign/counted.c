// SPDX-License-Identifier: Apache-2.0
/* Increments that the design was given around a difference: what a counter is in a cycle is what it was
 * given before. */
#include <string.h>

#include "foreign/bench.h"

static bool is_counted(const cs_foreign_bench *bench, unsigned pin)
{
    return bench->unit->pins[pin].amount && cs_foreign_has(bench, pin);
}

void cs_foreign_keep_counted(cs_foreign_bench *bench)
{
    for (unsigned i = 0; bench->unit->pins[i].name != NULL; i++)
        if (is_counted(bench, i))
            memcpy(bench->given[bench->now % CS_FOREIGN_COUNTED_CYCLES][i], bench->pins[i],
                   (bench->unit->pins[i].width + 7u) / 8u);
}

/* What a field was given in a cycle that is still kept. */
static uint8_t given(const cs_foreign_bench *bench, cs_cycle cycle, unsigned pin, unsigned lsb,
                     unsigned width)
{
    return (uint8_t)cs_foreign_get(bench->given[cycle % CS_FOREIGN_COUNTED_CYCLES][pin], lsb,
                                   width);
}

static void tell_pin(cs_foreign_bench *bench, unsigned pin, cs_cycle cycle)
{
    const cs_foreign_pin *p = &bench->unit->pins[pin];
    const unsigned width = p->field != 0 ? p->field : p->width;
    cs_foreign_report *r = bench->report;

    for (unsigned field = 0; field < p->width / width; field++) {
        const cs_foreign_counted c = {
            .pin = p->name,
            .has_field = p->field != 0,
            .field = field,
            .before = cycle != 0 ? given(bench, cycle - 1, pin, field * width, width) : 0,
            .now = given(bench, cycle, pin, field * width, width),
        };

        if ((c.before != 0 || c.now != 0) && r->nr_counted < CS_FOREIGN_MAX_COUNTED)
            r->counted[r->nr_counted++] = c;
    }
}

void cs_foreign_tell_counted(cs_foreign_bench *bench, cs_cycle cycle)
{
    for (unsigned i = 0; bench->unit->pins[i].name != NULL; i++)
        if (is_counted(bench, i)) {
            bench->report->counts = true;
            tell_pin(bench, i, cycle);
        }
}
