// SPDX-License-Identifier: Apache-2.0
#include "results/summary.h"

#include "formats/common/table.h"
#include "scenario/machine/bus_spec.h"

uint64_t cs_summary_ns(const cs_scenario *scenario, uint64_t cycles)
{
    return (uint64_t)((unsigned __int128)cycles * 1000u / scenario->bus->clock_mhz);
}

double cs_summary_seconds(const cs_scenario *scenario, uint64_t cycles)
{
    return (double)cycles / (1e6 * scenario->bus->clock_mhz);
}

size_t cs_summary_rows(size_t all, size_t most)
{
    return most != 0 && all > most ? most : all;
}

void cs_summary_more(FILE *out, size_t all, size_t rows, const char *what)
{
    if (rows < all)
        fprintf(out, "  ... and %zu more %s (summary.txt has all)\n", all - rows, what);
}

void cs_summary_figures(const cs_summary *s, cs_figures *out)
{
    const double lost = s->end_cycle != 0 ? (double)s->software_cycles / (double)s->end_cycle : 0;
    cs_part_number parts[CS_NR_PARTS];
    const size_t nr = cs_parts_of_view(CS_PART_FIGURES, parts);

    out->count = 0;
    out->clock_mhz = s->scenario->bus->clock_mhz;
    cs_figure_phrase(out, "scenario", true, s->scenario->name);
    cs_figure_phrase(out, "ended", true, s->ended);
    cs_figure_count(out, "seed", true, s->scenario->seed);
    cs_figure_count(out, "clock_mhz", true, s->scenario->bus->clock_mhz);
    cs_figure_cycles(out, "simulated_ns", true, s->end_cycle);
    cs_figure_ns(out, "wall_ns", true, s->wall_ns);
    for (size_t i = 0; i < nr; i++)
        if (s->parts[parts[i]] != NULL)
            cs_parts[parts[i]]->figures(s->parts[parts[i]], s, out);
    cs_figure_cycles(out, "software_ns", true, s->software_cycles);
    if (s->refill_cycles != 0)
        cs_figure_cycles(out, "refill_ns", true, s->refill_cycles);
    cs_figure_fraction(out, "software_fraction", true, lost);
}

/* What the run is needs no title. */
static void text_of_group(const cs_figures *figures, cs_figure_group group, FILE *out)
{
    bool begun = group == CS_FIGURES_RUN;

    for (size_t i = 0; i < figures->count; i++) {
        if (!figures->list[i].shown || figures->list[i].row->group != group)
            continue;
        if (!begun)
            fprintf(out, "\n%s\n", cs_figure_groups[group]);
        begun = true;
        cs_figure_text(&figures->list[i], out);
    }
}

void cs_summary_text(const cs_summary *s, size_t most, FILE *out)
{
    cs_part_number parts[CS_NR_PARTS];
    const size_t nr = cs_parts_of_view(CS_PART_TEXT, parts);
    cs_figures figures;

    cs_summary_figures(s, &figures);
    for (unsigned group = 0; group < CS_NR_FIGURE_GROUPS; group++)
        text_of_group(&figures, (cs_figure_group)group, out);
    for (size_t i = 0; i < nr; i++)
        if (s->parts[parts[i]] != NULL)
            cs_parts[parts[i]]->text(s->parts[parts[i]], s, most, out);
}

/* Those that summary.txt prints: a report shows the same. */
static void json_shown(const cs_figures *figures, FILE *out)
{
    size_t nr = 0;

    fprintf(out, ",\n  \"shown\": [");
    for (size_t i = 0; i < figures->count; i++)
        if (figures->list[i].shown)
            fprintf(out, "%s\"%s\"", cs_json_comma(nr++), figures->list[i].row->key);
    fprintf(out, "]");
}

/* What `run` warns of. */
static void json_warnings(const cs_summary *s, FILE *out)
{
    size_t nr = 0;

    fprintf(out, ",\n  \"warnings\": [");
    for (size_t i = 0; i < s->scenario->nr_warnings; i++) {
        fputs(cs_json_comma(nr++), out);
        cs_json_string(out, s->scenario->warnings[i].text);
    }
    for (size_t i = 0; i < s->nr_warnings; i++) {
        fputs(cs_json_comma(nr++), out);
        cs_json_string(out, s->warnings[i]);
    }
    fprintf(out, "]");
}

/* Each part begins its lists with what separates them from what stands before. */
void cs_summary_json(const cs_summary *s, FILE *out)
{
    cs_part_number parts[CS_NR_PARTS];
    const size_t nr = cs_parts_of_view(CS_PART_JSON, parts);
    cs_figures figures;

    cs_summary_figures(s, &figures);
    fprintf(out, "{\n");
    for (size_t i = 0; i < figures.count; i++) {
        fprintf(out, "%s  ", i != 0 ? ",\n" : "");
        cs_figure_json(&figures.list[i], out);
    }
    json_shown(&figures, out);
    json_warnings(s, out);
    for (size_t i = 0; i < nr; i++)
        if (s->parts[parts[i]] != NULL)
            cs_parts[parts[i]]->json(s->parts[parts[i]], s, out);
    fprintf(out, "\n}\n");
}

static cs_status to_file(void *ctx, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, ctx) == bytes ? CS_OK : CS_ERR_IO;
}

void cs_summary_csv(const cs_summary *s, FILE *out)
{
    const cs_text_sink sink = {to_file, out};
    const cs_table_column columns[] = {{.name = "figure", .kind = CS_CELL_NAME},
                                       {.name = "label", .kind = CS_CELL_NAME},
                                       {.name = "unit", .kind = CS_CELL_NAME},
                                       {.name = "value", .kind = CS_CELL_NAME}};
    cs_figures figures;
    cs_table table;

    cs_summary_figures(s, &figures);
    cs_table_begin(&table, CS_TABLE_CSV, &sink);
    cs_table_columns(&table, columns, 4);
    for (size_t i = 0; i < figures.count; i++) {
        const cs_figure *figure = &figures.list[i];
        char value[32];
        cs_table_cell cells[4] = {{0}};

        cells[0].name = figure->row->key;
        cells[1].name = figure->row->label;
        cells[2].name = figure->row->unit;
        cells[3].name = cs_figure_value(figure, value, sizeof value);
        cs_table_row(&table, cells);
    }
    cs_table_end(&table);
}
