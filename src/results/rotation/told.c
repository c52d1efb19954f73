/* What the summary tells of rotated events. */
#include "results/summary_parts.h"

#include <inttypes.h>

size_t cs_summary_rotation_figures(const cs_summary *s, figure *out, size_t n)
{
    const cs_rotated_fairness f = cs_rotation_results_all(s->rotated);
    const cs_rotating_report *r = &s->rotating;
    const cs_scenario *sc = s->scenario;
    const bool ran = f.events != 0, bus = r->bus_cycles != 0, interrupted = r->interrupts != 0;

    out[n++] = (figure){"rotated_events", "events counted in turns", COUNT, .count = f.events};
    out[n++] = (figure){"never_counted", "of them never counted", COUNT, .count = f.never};
    out[n++] = (figure){"least_share", ran ? "time on a counter, least" : NULL, FRACTION,
                        .fraction = f.least_share};
    out[n++] = (figure){"most_share", ran ? "time on a counter, most" : NULL, FRACTION,
                        .fraction = f.most_share};
    out[n++] = (figure){"jain", ran ? "fairness (Jain)" : NULL, FRACTION, .fraction = f.jain};
    out[n++] = (figure){"mean_error", ran ? "error of estimates, mean" : NULL, FRACTION,
                        .fraction = f.mean_error};
    out[n++] =
        (figure){"most_error", ran ? "error, largest" : NULL, FRACTION, .fraction = f.most_error};
    out[n++] = (figure){"ticks", "ticks", COUNT, .count = r->ticks};
    out[n++] = (figure){"rotations", "rotations", COUNT, .count = r->rotations};
    out[n++] = (figure){"late_ticks", r->late_ticks != 0 ? "ticks that came late" : NULL, COUNT,
                        .count = r->late_ticks};
    out[n++] = (figure){"rotating_ns", "CPU time for it", NANOSECONDS,
                        .count = cs_summary_ns(sc, r->rotating_cycles)};
    out[n++] =
        (figure){"register_accesses", "register accesses", COUNT, .count = r->register_accesses};
    out[n++] = (figure){"rotating_bus_ns", bus ? "waiting for the bus" : NULL, NANOSECONDS,
                        .count = cs_summary_ns(sc, r->bus_cycles)};
    out[n++] = (figure){"rotating_interrupts", interrupted ? "interrupts of counters" : NULL, COUNT,
                        .count = r->interrupts};
    out[n++] = (figure){"overdue_reads", r->overdue_reads != 0 ? "reads that were overdue" : NULL,
                        COUNT, .count = r->overdue_reads};
    out[n++] = (figure){"failed_accesses", r->failed_accesses != 0 ? "accesses that failed" : NULL,
                        COUNT, .count = r->failed_accesses};
    if (s->uncore != NULL)
        out[n++] =
            (figure){"uncore_wrong", "counts that are wrong", COUNT, .count = s->uncore->wrong};
    return n;
}

static void event_rows(const cs_summary *s, size_t most, FILE *out)
{
    size_t all, finals = 0, rows = 0;
    const cs_rotated_result *list = cs_rotation_results_counts(s->rotated, &all);
    char name[40];

    for (size_t i = 0; i < all; i++)
        finals += list[i].count.final;
    if (finals == 0)
        return;
    fprintf(out, "\n  %-3s %-12s %-18s %9s %16s %16s %9s\n", "cpu", "PMU", "event in turns", "time",
            "estimate", "truth", "error");
    for (size_t i = 0; i < all && (most == 0 || rows < most); i++) {
        const cs_rotated_result *r = &list[i];

        if (!r->count.final)
            continue;
        fprintf(out, "  %-3u %-12s %-18s %8.2f%% ", r->count.cpu, r->count.pmu,
                cs_rotated_event_name(&r->count, name, sizeof name), 100.0 * r->share);
        if (r->counted)
            fprintf(out, "%16.0f %16" PRIu64 " %8.3f%%\n", r->scaled, r->truth, 100.0 * r->error);
        else
            fprintf(out, "%16s %16" PRIu64 "\n", "never counted", r->truth);
        rows++;
    }
    if (rows < finals)
        fprintf(out, "  ... and %zu more events (summary.txt has all)\n", finals - rows);
}

static void command_rows(const cs_summary *s, size_t most, FILE *out)
{
    size_t all;
    const cs_rotated_fairness *list = cs_rotation_results_commands(s->rotated, &all);
    const size_t rows = most != 0 && all > most ? most : all;

    if (all < 2) /* the figures say the same */
        return;
    fprintf(out, "\n  %-16s %7s %7s %9s %9s %9s %9s %9s\n", "command", "events", "never", "least",
            "most", "Jain", "error", "largest");
    for (size_t i = 0; i < rows; i++) {
        const cs_rotated_fairness *f = &list[i];
        char name[32];

        snprintf(name, sizeof name, "%s %u", f->core ? "cpu" : "uncore", f->command);
        fprintf(out, "  %-16s %7" PRIu64 " %7" PRIu64 " %8.2f%% %8.2f%% %8.2f%% %8.3f%% %8.3f%%\n",
                name, f->events, f->never, 100.0 * f->least_share, 100.0 * f->most_share,
                100.0 * f->jain, 100.0 * f->mean_error, 100.0 * f->most_error);
    }
    if (rows < all)
        fprintf(out, "  ... and %zu more commands (summary.txt has all)\n", all - rows);
}

static void unit_rows(const cs_summary *s, FILE *out)
{
    const cs_scenario *sc = s->scenario;

    fprintf(out, "\n  %-12s %6s %9s %4s %9s  %s\n", "unit", "bridge", "distance", "cpu", "accesses",
            "chosen because");
    for (size_t i = 0; i < sc->uncore->nr_units; i++) {
        const cs_uncore_unit_spec *unit = &sc->uncore->units[i];
        const cs_uncore_unit_result *r = &s->uncore->units[i];

        if (r->manager.managed)
            fprintf(out, "  %-12s %6u %9u %4u %9" PRIu64 "  %s\n", unit->name, unit->bridge,
                    sc->uncore->bridges[unit->bridge].access_cycles, r->manager.cpu, r->accesses,
                    r->manager.why);
    }
}

void cs_summary_rotation_text(const cs_summary *s, size_t most, FILE *out)
{
    event_rows(s, most, out);
    command_rows(s, most, out);
    if (s->uncore != NULL)
        unit_rows(s, out);
}

/* Of whole commands; the intervals are in the database. */
static void json_counts(const cs_summary *s, FILE *out)
{
    const char *separator = "";
    size_t all;
    const cs_rotated_result *list = cs_rotation_results_counts(s->rotated, &all);
    char name[40];

    fprintf(out, ",\n  \"rotated\": [");
    for (size_t i = 0; i < all; i++) {
        const cs_rotated_result *r = &list[i];
        const cs_rotated_count *c = &r->count;

        if (!c->final)
            continue;
        fprintf(out, "%s\n    {\"command\": %u, \"pmu\": ", separator, c->command);
        separator = ",";
        cs_summary_json_string(out, c->pmu);
        fprintf(out, ", \"unit\": %u, \"cpu\": %u, \"event\": %u, \"name\": ", c->unit, c->cpu,
                (unsigned)c->event);
        cs_summary_json_string(out, cs_rotated_event_name(c, name, sizeof name));
        fprintf(out,
                ", \"start\": %" PRIu64 ", \"stop\": %" PRIu64 ", \"enabled\": %" PRIu64
                ", \"running\": %" PRIu64 ", \"raw\": %" PRIu64,
                c->from, c->to, r->enabled, c->running, c->raw);
        if (r->counted)
            fprintf(out, ", \"scaled\": %.17g, \"error\": %.9g", r->scaled, r->error);
        else
            fprintf(out, ", \"scaled\": null, \"error\": null");
        fprintf(out, ", \"truth\": %" PRIu64 "}", r->truth);
    }
    fprintf(out, "\n  ]");
}

static void json_units(FILE *out, const cs_summary *s)
{
    const cs_scenario *sc = s->scenario;

    fprintf(out, ",\n  \"units\": [");
    for (size_t i = 0; i < sc->uncore->nr_units; i++) {
        const cs_uncore_unit_spec *unit = &sc->uncore->units[i];
        const cs_uncore_unit_result *r = &s->uncore->units[i];

        fprintf(out, "%s\n    {\"unit\": %zu, \"name\": ", i != 0 ? "," : "", i);
        cs_summary_json_string(out, unit->name);
        fprintf(out, ", \"path\": ");
        cs_summary_json_string(out, unit->path);
        fprintf(out, ", \"bridge\": %u, \"access_cycles\": %u, \"accesses\": %" PRIu64,
                unit->bridge, sc->uncore->bridges[unit->bridge].access_cycles, r->accesses);
        if (r->manager.managed)
            fprintf(out, ", \"cpu\": %u, \"why\": \"%s\", \"wrong\": %" PRIu64 "}", r->manager.cpu,
                    r->manager.why, r->wrong);
        else
            fprintf(out, ", \"cpu\": null, \"why\": null, \"wrong\": 0}");
    }
    fprintf(out, "\n  ]");
}

void cs_summary_rotation_json(const cs_summary *s, FILE *out)
{
    size_t all;
    const cs_rotated_fairness *list = cs_rotation_results_commands(s->rotated, &all);

    json_counts(s, out);
    fprintf(out, ",\n  \"rotated_commands\": [");
    for (size_t i = 0; i < all; i++) {
        const cs_rotated_fairness *f = &list[i];

        fprintf(out,
                "%s\n    {\"kind\": \"%s\", \"command\": %u, \"events\": %" PRIu64
                ", \"never\": %" PRIu64 ", \"least_share\": %.9g, \"most_share\": %.9g"
                ", \"jain\": %.9g, \"mean_error\": %.9g, \"most_error\": %.9g}",
                i != 0 ? "," : "", f->core ? "cpu" : "uncore", f->command, f->events, f->never,
                f->least_share, f->most_share, f->jain, f->mean_error, f->most_error);
    }
    fprintf(out, "\n  ]");
    if (s->uncore != NULL)
        json_units(out, s);
}
