// SPDX-License-Identifier: Apache-2.0
#include "scenario/hpm/riscv_perf_owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "scenario/cpus.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_events.h"
#include "scenario/hpm/riscv_spec.h"

#define ITEM_BYTES 255u /* of the list, at most */

/* As Linux calls it; and of a die that has such a PMU of others, too. */
static const char *pmu(const cs_scenario *s, size_t nr)
{
    static const char *const names[] = {CS_CPU_PMU_NAME, "harts"};

    return s->harts->count != 0 && nr < sizeof names / sizeof names[0] ? names[nr] : NULL;
}

static const char *event_name(const cs_scenario *s, size_t of, size_t nr)
{
    (void)of;
    return cs_riscv_perf_event_at(s->riscv->firmware.proposal_v3, nr);
}

/* "event=0x5" is raw event r5. */
static size_t print_name(char *out, size_t size, const char *what)
{
    const char *terms = what;
    cs_asked_term term;
    uint64_t number;

    if (cs_asked_term_next(&terms, &term) && *terms == '\0' && strcmp(term.name, "event") == 0 &&
        cs_number_of(term.value, UINT64_MAX, &number))
        return (size_t)snprintf(out, size, "r%" PRIx64, number);
    return (size_t)snprintf(out, size, "%s", what);
}

/* An event, or the events of a group as perf writes it; returns the next one's number. No longer than
 * the item that it comes from. */
static size_t write_item(cs_asked_part *part, cs_yaml_node *events, size_t first)
{
    const cs_asked_event *e = &part->events[first];
    char text[ITEM_BYTES + 1];
    size_t next = first + 1, n = print_name(text, sizeof text, e->what);

    for (; e->group != 0 && next < part->nr_events && part->events[next].group == e->group;
         next++) {
        n += (size_t)snprintf(text + n, sizeof text - n, ",");
        n += print_name(text + n, sizeof text - n, part->events[next].what);
    }
    cs_asked_at_event(part, e);
    cs_asked_put_text(part, events, NULL, "%s%s%s%s", e->group != 0 ? "{" : "", text,
                      e->group != 0 ? "}" : "", strchr(e->modifiers, 'D') != NULL ? ":D" : "");
    return next;
}

/* Which of the exclude_ bits the key or a modifier sets, as perf does. */
static void write_modes(cs_asked_part *part)
{
    static const char *const keys[CS_PERF_MODES] = {"exclude_user", "exclude_kernel", "exclude_hv",
                                                    "exclude_host", "exclude_guest"};
    const char *modifiers = part->events[0].modifiers;
    const bool u = strchr(modifiers, 'u') != NULL, k = strchr(modifiers, 'k') != NULL;
    const bool h = strchr(modifiers, 'h') != NULL, g = strchr(modifiers, 'G') != NULL;
    const bool host = strchr(modifiers, 'H') != NULL, some = u || k || h;
    const bool excluded[CS_PERF_MODES] = {some && !u, some && !k, some && !h, g && !host,
                                          host && !g};

    for (unsigned mode = 0; mode < CS_PERF_MODES; mode++) {
        const bool key = (part->command->exclude & CS_PERF_MODE_BIT(mode)) != 0;

        cs_asked_at_event(part, &part->events[0]);
        if (key)
            cs_asked_at_key(part, "exclude");
        if (key || excluded[mode])
            cs_asked_put_text(part, part->to, keys[mode], "true");
    }
}

static void write(cs_asked_part *part)
{
    const cs_perf_command_spec *c = part->command;

    cs_asked_at_event(part, &part->events[0]);
    cs_yaml_node *events = cs_asked_put(part, part->to, "events", CS_YAML_LIST);

    for (size_t i = 0; i < part->nr_events;)
        i = write_item(part, events, i);
    write_modes(part);
    cs_asked_put_key(part, "cpus", "cpus");
    cs_asked_put_key(part, "period", "sample_period");
    cs_asked_put_key(part, "freq", "freq");
    if (c->nr_record != 0 && c->period == 0 && c->freq == 0)
        cs_asked_put_text(part, part->to, "freq", "%u", CS_PERF_DEFAULT_FREQ);
    cs_asked_put_key(part, "callchain", "callchain");
    cs_asked_put_key(part, "guest", "guest");
    cs_asked_put_key(part, "guest_events", "guest_events");
    cs_asked_put_key(part, "mmapped", "mmapped");
    cs_asked_put_times(part);
}

static const cs_perf_refusal refusals[] = {{0}};

const cs_perf_owner cs_riscv_perf_owner = {
    .of = "a hart",
    .keys = "record interval cpus period freq callchain exclude guest guest_events mmapped",
    .modifiers = "ukhGHD",
    .core = true,
    .refusals = refusals,
    .pmu = pmu,
    .event = event_name,
    .terms = "event=N",
    .write = write};
