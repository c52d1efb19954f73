#include "results/summary.h"

#include <inttypes.h>
#include <string.h>

#include "results/summary_parts.h"
#include "scenario/corepmu/arm_events.h"

uint64_t cs_summary_ns(const cs_scenario *scenario, uint64_t cycles)
{
    return (uint64_t)((unsigned __int128)cycles * 1000u / scenario->bus->clock_mhz);
}

#define MAX_FIGURES 96

static size_t pmcu_figures(const cs_summary *s, figure *out, size_t n)
{
    const cs_results *r = s->results;
    const cs_scenario *sc = s->scenario;

    out[n++] = (figure){"cpus", "CPUs that counted", COUNT, .count = r->armed_cpus};
    out[n++] = (figure){"triggers", "triggers", COUNT, .count = s->triggers};
    out[n++] = (figure){"interrupts", "interrupts", COUNT, .count = r->interrupts};
    out[n++] = (figure){"samples", "subsamples committed", COUNT, .count = r->samples};
    out[n++] = (figure){"sample_bytes", "bytes of samples", COUNT, .count = r->sample_bytes};
    out[n++] = (figure){"aux_bytes", "bytes handed to perf", COUNT, .count = s->aux_bytes};
    out[n++] = (figure){"blind_ns", "not counting (blind)", NANOSECONDS,
                        .count = cs_summary_ns(sc, r->blind_cycles)};
    out[n++] =
        (figure){"blind_fraction", "blind fraction", FRACTION, .fraction = r->blind_fraction};
    out[n++] = (figure){"start_skew_ns", "start skew, largest", NANOSECONDS,
                        .count = cs_summary_ns(sc, r->start_skew_cycles)};
    out[n++] = (figure){"stop_skew_ns", "stop skew, largest", NANOSECONDS,
                        .count = cs_summary_ns(sc, r->stop_skew_cycles)};
    return n;
}

/* Labels are left out of the text where the figure can only be zero. */
static size_t imc_figures(const cs_summary *s, figure *out, size_t n)
{
    const cs_imc_results *r = s->imc;
    const bool traced = r->all.records + r->all.lost + r->all.failed != 0;
    const bool nest = s->scenario->nest->present;

    out[n++] = (figure){"imc_records", traced ? "trace records written" : NULL, COUNT,
                        .count = r->all.records};
    out[n++] = (figure){"imc_lost", traced ? "samples lost by hardware" : NULL, COUNT,
                        .count = r->all.lost};
    out[n++] = (figure){"imc_failed", traced ? "failed record writes" : NULL, COUNT,
                        .count = r->all.failed};
    out[n++] = (figure){"imc_wrong", traced ? "records with a wrong PC" : NULL, COUNT,
                        .count = r->all.wrong};
    out[n++] =
        (figure){"nest_postings", nest ? "nest postings" : NULL, COUNT, .count = r->nest_postings};
    return n;
}

/* Interrupts are told with trace mode, too: that there are none is the point. */
static size_t software_figures(const cs_summary *s, figure *out, size_t n)
{
    const cs_software_figures *f = &s->software;
    const bool pmi = cs_scenario_runs(s->scenario, CS_SOFTWARE_PMI);
    const uint64_t made = s->imc->all.records + s->imc->all.lost + s->imc->all.failed;
    const bool sampled = pmi || made != 0;

    out[n++] = (figure){"pmi", sampled ? "interrupts (PMI)" : NULL, COUNT, .count = f->interrupts};
    out[n++] = (figure){"handler_ns", sampled ? "in interrupt handlers" : NULL, NANOSECONDS,
                        .count = cs_summary_ns(s->scenario, f->handler_cycles)};
    out[n++] = (figure){"perf_samples", sampled ? "samples in perf" : NULL, COUNT,
                        .count = f->perf_samples};
    out[n++] = (figure){"perf_lost", sampled ? "samples not in perf" : NULL, COUNT,
                        .count = pmi ? f->lost_samples : made - f->perf_samples};
    out[n++] = (figure){"opal_calls", pmi ? NULL : "OPAL calls", COUNT, .count = f->opal_calls};
    return n;
}

void cs_hart_figures_add(cs_hart_figures *all, const cs_riscv_report *report)
{
    const cs_riscv_figures *const kernels[] = {&report->host, &report->guest};

    all->harts++;
    for (unsigned i = 0; i < CS_HART_TRACKS; i++)
        all->cycles[i] += report->cycles[i];
    for (unsigned i = 0; i < 2; i++) {
        all->interrupts += kernels[i]->interrupts;
        all->spurious += kernels[i]->spurious;
        all->samples += kernels[i]->samples;
        all->lost += kernels[i]->lost;
        all->throttled += kernels[i]->throttled;
        all->sbi_calls += kernels[i]->sbi_calls;
        all->sbi_errors += kernels[i]->sbi_errors;
    }
}

uint64_t cs_hart_figures_software(const cs_hart_figures *f)
{
    return f->cycles[CS_HART_KERNEL] + f->cycles[CS_HART_FIRMWARE] + f->cycles[CS_HART_GUEST];
}

/* Labels are left out of the text where nothing was sampled. */
static size_t hart_figures(const cs_summary *s, figure *out, size_t n)
{
    const cs_hart_figures *f = s->harts;
    const cs_hart_results *t = &f->truth;
    const bool sampled = f->interrupts != 0;
    const uint64_t overflows = t->samples - t->without_overflow;
    const uint64_t skid = overflows != 0 ? t->skid_cycles / overflows : 0;
    const cs_scenario *sc = s->scenario;

    out[n++] = (figure){"wrong_counts", t->counts != 0 ? "counts that are wrong" : NULL, COUNT,
                        .count = t->wrong_counts};
    out[n++] = (figure){"hart_interrupts", sampled ? "overflow interrupts" : NULL, COUNT,
                        .count = f->interrupts};
    out[n++] = (figure){"hart_spurious", f->spurious != 0 ? "of them spurious" : NULL, COUNT,
                        .count = f->spurious};
    out[n++] = (figure){"hart_samples", sampled ? "samples" : NULL, COUNT, .count = f->samples};
    out[n++] = (figure){"hart_lost", sampled ? "samples lost" : NULL, COUNT, .count = f->lost};
    out[n++] = (figure){"hart_throttled", f->throttled != 0 ? "times throttled" : NULL, COUNT,
                        .count = f->throttled};
    out[n++] = (figure){"skid_ns", sampled ? "skid, mean" : NULL, NANOSECONDS,
                        .count = cs_summary_ns(sc, skid)};
    out[n++] = (figure){"most_skid_ns", sampled ? "skid, largest" : NULL, NANOSECONDS,
                        .count = cs_summary_ns(sc, t->most_skid_cycles)};
    out[n++] =
        (figure){"same_pc", sampled ? "samples at the very PC" : NULL, COUNT, .count = t->same_pc};
    out[n++] = (figure){"period_error", sampled ? "period error, mean" : NULL, FRACTION,
                        .fraction = t->period_error};
    out[n++] = (figure){"most_period_error", sampled ? "period error, largest" : NULL, FRACTION,
                        .fraction = t->most_period_error};
    out[n++] = (figure){"sbi_calls", "SBI calls", COUNT, .count = f->sbi_calls};
    out[n++] = (figure){"sbi_errors", f->sbi_errors != 0 ? "SBI calls refused" : NULL, COUNT,
                        .count = f->sbi_errors};
    out[n++] = (figure){"firmware_ns", "in the firmware", NANOSECONDS,
                        .count = cs_summary_ns(sc, f->cycles[CS_HART_FIRMWARE])};
    out[n++] = (figure){"kernel_ns", "in the driver", NANOSECONDS,
                        .count = cs_summary_ns(sc, f->cycles[CS_HART_KERNEL])};
    out[n++] = (figure){"guest_ns", sc->riscv->has_guest ? "in the guest's driver" : NULL,
                        NANOSECONDS, .count = cs_summary_ns(sc, f->cycles[CS_HART_GUEST])};
    return n;
}

static size_t figures(const cs_summary *s, figure out[MAX_FIGURES])
{
    const cs_results *r = s->results;
    const cs_scenario *sc = s->scenario;
    uint64_t held = 0;
    size_t n = 0;

    for (unsigned m = 0; m < CS_COLLECTOR_MAX_MANAGERS; m++)
        held += r->managers[m].held_cycles;
    double busy = s->end_cycle != 0 ? (double)held / (double)s->end_cycle : 0;
    double lost = s->end_cycle != 0 ? (double)s->software_cycles / (double)s->end_cycle : 0;

    out[n++] = (figure){"scenario", "scenario", PHRASE, .phrase = sc->name};
    out[n++] = (figure){"ended", "ended", PHRASE, .phrase = s->ended};
    out[n++] = (figure){"seed", NULL, COUNT, .count = sc->seed};
    out[n++] = (figure){"clock_mhz", NULL, COUNT, .count = sc->bus->clock_mhz};
    out[n++] = (figure){"simulated_ns", "simulated", NANOSECONDS,
                        .count = cs_summary_ns(sc, s->end_cycle)};
    out[n++] = (figure){"wall_ns", "wall time", NANOSECONDS, .count = s->wall_ns};
    if (cs_scenario_drives_pmcu(sc))
        n = pmcu_figures(s, out, n);
    if (s->imc != NULL)
        n = imc_figures(s, out, n);
    if (s->harts != NULL)
        n = hart_figures(s, out, n);
    if (s->software.present)
        n = software_figures(s, out, n);
    if (s->rotated != NULL)
        n = cs_summary_rotation_figures(s, out, n);
    out[n++] =
        (figure){"bus_transactions", "bus transactions", COUNT, .count = r->bus_transactions};
    out[n++] = (figure){"bus_busy", "bus paths busy", FRACTION, .fraction = busy};
    out[n++] = (figure){"software_ns", "taken by software", NANOSECONDS,
                        .count = cs_summary_ns(sc, s->software_cycles)};
    out[n++] = (figure){"software_fraction", "share of one CPU", FRACTION, .fraction = lost};
    return n;
}

static void print_time(FILE *out, uint64_t ns)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if ((double)ns >= units[i].scale) {
            fprintf(out, "%.3f %s", (double)ns / units[i].scale, units[i].unit);
            return;
        }
    fprintf(out, "%" PRIu64 " ns", ns);
}

static void print_figure(FILE *out, const figure *f)
{
    fprintf(out, "  %-24s ", f->label);
    switch (f->kind) {
    case COUNT:
        fprintf(out, "%" PRIu64, f->count);
        break;
    case NANOSECONDS:
        print_time(out, f->count);
        break;
    case FRACTION:
        fprintf(out, "%.3f %%", 100.0 * f->fraction);
        break;
    case PHRASE:
        fprintf(out, "%s", f->phrase);
        break;
    }
    fputc('\n', out);
}

static const char *event_name(const cs_event_result *e, char *buffer, size_t size)
{
    const char *name = e->cycle_counter ? "cycles" : cs_arm_event_name(e->event);

    if (name != NULL)
        return name;
    snprintf(buffer, size, "0x%04x", (unsigned)e->event);
    return buffer;
}

static void event_table(const cs_summary *s, size_t most, FILE *out)
{
    const size_t all = s->results->nr_events;
    const size_t rows = most != 0 && all > most ? most : all;
    char name[32];

    if (all == 0)
        return;
    fprintf(out, "\n  %-24s %16s %16s %9s\n", "event", "truth", "samples, scaled", "error");
    for (size_t i = 0; i < rows; i++) {
        const cs_event_result *e = &s->results->events[i];

        fprintf(out, "  %-24s %16" PRIu64 " %16.0f %8.3f%%\n", event_name(e, name, sizeof name),
                e->truth, e->scaled, 100.0 * e->error);
    }
    if (rows < all)
        fprintf(out, "  ... and %zu more events (summary.txt has all)\n", all - rows);
}

static void function_table(const cs_summary *s, size_t most, FILE *out)
{
    const size_t rows = most != 0 && s->nr_functions > most ? most : s->nr_functions;

    if (s->nr_functions == 0)
        return;
    fprintf(out, "\n  %-24s %16s %9s %9s\n", "function",
            s->of_records ? "trace records" : "samples", "share", "truth");
    for (size_t i = 0; i < rows; i++) {
        const cs_function_result *f = &s->functions[i];

        fprintf(out, "  %-24s %16" PRIu64 " %8.2f%% %8.2f%%\n", f->name, f->samples,
                100.0 * f->share, 100.0 * f->expected);
    }
    if (rows < s->nr_functions)
        fprintf(out, "  ... and %zu more functions (summary.txt has all)\n",
                s->nr_functions - rows);
}

static double error_of(const cs_perf_count *c)
{
    return c->truth != 0 ? c->value / (double)c->truth - 1.0 : 0;
}

static void count_table(const cs_summary *s, size_t most, FILE *out)
{
    const size_t rows = most != 0 && s->nr_counts > most ? most : s->nr_counts;

    if (s->nr_counts == 0)
        return;
    fprintf(out, "\n  %-4s %-36s %18s %18s %9s\n", "cpu", "perf stat", "value", "truth", "error");
    for (size_t i = 0; i < rows; i++) {
        const cs_perf_count *c = &s->counts[i];
        char event[80];

        snprintf(event, sizeof event, "%s%s", strcmp(c->pmu, "guest") == 0 ? "guest: " : "",
                 c->event);
        fprintf(out, "  %-4u %-36s %18.0f %18" PRIu64 " %8.3f%%\n", c->cpu, event, c->value,
                c->truth, 100.0 * error_of(c));
    }
    if (rows < s->nr_counts)
        fprintf(out, "  ... and %zu more counts (summary.txt has all)\n", s->nr_counts - rows);
}

void cs_summary_text(const cs_summary *s, size_t most, FILE *out)
{
    figure list[MAX_FIGURES];
    size_t n = figures(s, list);

    for (size_t i = 0; i < n; i++)
        if (list[i].label != NULL)
            print_figure(out, &list[i]);
    event_table(s, most, out);
    count_table(s, most, out);
    if (s->rotated != NULL)
        cs_summary_rotation_text(s, most, out);
    function_table(s, most, out);
}

void cs_summary_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        if ((unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

static void json_figure(FILE *out, const figure *f)
{
    fprintf(out, "  \"%s\": ", f->key);
    switch (f->kind) {
    case COUNT:
    case NANOSECONDS:
        fprintf(out, "%" PRIu64, f->count);
        break;
    case FRACTION:
        fprintf(out, "%.9g", f->fraction);
        break;
    case PHRASE:
        cs_summary_json_string(out, f->phrase);
        break;
    }
    fprintf(out, ",\n");
}

static void json_managers(FILE *out, const cs_summary *s)
{
    const char *separator = "";
    char name[32];

    fprintf(out, "  \"managers\": [");
    for (unsigned m = 0; m < CS_COLLECTOR_MAX_MANAGERS; m++) {
        const cs_manager_result *manager = &s->results->managers[m];

        if (manager->transactions == 0)
            continue;
        fprintf(out,
                "%s\n    {\"manager\": \"%s\", \"transactions\": %" PRIu64 ", \"bytes\": %" PRIu64
                ", \"errors\": %" PRIu64 ", \"wait_cycles\": %" PRIu64 ", \"held_cycles\": %" PRIu64
                "}",
                separator, cs_probe_source_name(CS_PROBE_BUS, (uint16_t)m, name, sizeof name),
                manager->transactions, manager->bytes, manager->errors, manager->wait_cycles,
                manager->held_cycles);
        separator = ",";
    }
    fprintf(out, "\n  ],\n");
}

static void json_counts(FILE *out, const cs_summary *s)
{
    fprintf(out, ",\n  \"counts\": [");
    for (size_t i = 0; i < s->nr_counts; i++) {
        const cs_perf_count *c = &s->counts[i];

        fprintf(out, "%s\n    {\"command\": %u, \"pmu\": ", i != 0 ? "," : "", c->command);
        cs_summary_json_string(out, c->pmu);
        fprintf(out, ", \"event\": ");
        cs_summary_json_string(out, c->event);
        fprintf(out,
                ", \"cpu\": %u, \"start\": %" PRIu64 ", \"stop\": %" PRIu64 ", \"raw\": %" PRIu64
                ", \"value\": %.17g, \"truth\": %" PRIu64 ", \"error\": %.9g",
                c->cpu, c->from, c->to, c->raw, c->value, c->truth, error_of(c));
        if (c->has_counted)
            fprintf(out, ", \"counted\": %" PRIu64, c->counted);
        fputc('}', out);
    }
    fprintf(out, "\n  ]");
}

static void json_functions(FILE *out, const cs_summary *s)
{
    fprintf(out, ",\n  \"functions\": [");
    for (size_t i = 0; i < s->nr_functions; i++) {
        const cs_function_result *f = &s->functions[i];

        fprintf(out, "%s\n    {\"name\": ", i != 0 ? "," : "");
        cs_summary_json_string(out, f->name);
        fprintf(out, ", \"samples\": %" PRIu64 ", \"share\": %.9g, \"truth\": %.9g}", f->samples,
                f->share, f->expected);
    }
    fprintf(out, "\n  ]");
}

void cs_summary_json(const cs_summary *s, FILE *out)
{
    figure list[MAX_FIGURES];
    size_t n = figures(s, list);
    char name[32];

    fprintf(out, "{\n");
    for (size_t i = 0; i < n; i++)
        json_figure(out, &list[i]);
    json_managers(out, s);
    fprintf(out, "  \"events\": [");
    for (size_t i = 0; i < s->results->nr_events; i++) {
        const cs_event_result *e = &s->results->events[i];

        fprintf(out, "%s\n    {\"event\": %u, \"name\": ", i != 0 ? "," : "", (unsigned)e->event);
        cs_summary_json_string(out, event_name(e, name, sizeof name));
        fprintf(out,
                ", \"truth\": %" PRIu64 ", \"sampled\": %" PRIu64 ", \"subsamples\": %" PRIu64
                ", \"scaled\": %.9g, \"error\": %.9g}",
                e->truth, e->sampled, e->subsamples, e->scaled, e->error);
    }
    fprintf(out, "\n  ]");
    if (s->imc != NULL || s->harts != NULL)
        json_counts(out, s);
    if (s->imc != NULL)
        json_functions(out, s);
    if (s->rotated != NULL)
        cs_summary_rotation_json(s, out);
    fprintf(out, "\n}\n");
}
