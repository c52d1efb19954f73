// SPDX-License-Identifier: Apache-2.0
#include "foreign/waves.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die_waves.h"
#include "foreign/bench.h"
#include "lockstep/die/gtkwave.h"

#define NAME 64u
#define MOST (2u * CS_FOREIGN_MAX_PINS * CS_FOREIGN_MOST_PORTS)
#define CYCLE 0u /* the first signal: the running cycle, so that a person need not divide */

struct cs_foreign_waves {
    cs_foreign_waves_plan plan;
    const cs_foreign_unit *unit;
    const cs_foreign_design *design;
    cs_foreign_dut *dut;
    unsigned
        first[CS_FOREIGN_MAX_PINS]; /* the model's signal; the RTL's is the next one; 0: none */
    char names[MOST + 1][NAME];
    cs_die_signal signals[MOST + 1];
    size_t nr;
};

static void add(cs_foreign_waves *w, unsigned bits, const char *pin, const char *port,
                const char *side)
{
    snprintf(w->names[w->nr], NAME, "view %s%s %s", pin, port, side);
    w->signals[w->nr] = (cs_die_signal){.name = w->names[w->nr], .bits = bits};
    w->nr++;
}

static void add_output(cs_foreign_waves *w, unsigned pin)
{
    const cs_foreign_pin *p = &w->unit->pins[pin];
    const unsigned ports = p->each != NULL ? CS_FOREIGN_MOST_PORTS : 1;

    w->first[pin] = (unsigned)w->nr;
    for (unsigned port = 0; port < ports; port++)
        for (unsigned rtl = 0; rtl < 2; rtl++) {
            char of[12] = "";

            if (p->each != NULL)
                snprintf(of, sizeof of, "_%u", port);
            add(w, p->each != NULL ? p->field : p->width, p->name, of, rtl != 0 ? "rtl" : "model");
        }
}

cs_status cs_foreign_waves_begin(const cs_foreign_waves_plan *plan, const cs_foreign_unit *unit,
                                 const cs_foreign_design *design, cs_foreign_dut *dut,
                                 cs_foreign_waves **out, cs_diag *diag)
{
    cs_foreign_waves *w = calloc(1, sizeof *w);

    *out = w;
    if (w == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for waves");
    w->plan = *plan;
    w->unit = unit;
    w->design = design;
    w->dut = dut;
    w->signals[w->nr++] = (cs_die_signal){.name = "view cycle", .bits = 64};
    for (unsigned i = 0; unit->pins[i].name != NULL; i++)
        if (unit->pins[i].output && !unit->pins[i].followed && design->linked[i])
            add_output(w, i);
    if (cs_foreign_dut_open_waves(dut, plan->path, w->signals, w->nr) &&
        access(plan->path, F_OK) == 0)
        return CS_OK;
    free(w);
    *out = NULL;
    return cs_diag_set(diag, CS_ERR_IO, plan->path, "waves cannot be written");
}

void cs_foreign_waves_show(cs_foreign_waves *w, unsigned pin, unsigned port, uint64_t model,
                           uint64_t rtl)
{
    if (w->first[pin] == 0)
        return;
    w->signals[w->first[pin] + 2 * port].value = model;
    w->signals[w->first[pin] + 2 * port + 1].value = rtl;
}

void cs_foreign_waves_dump(cs_foreign_waves *w, cs_cycle cycle, bool half)
{
    w->signals[CYCLE].value = cycle;
    if (cycle >= w->plan.from && cycle < w->plan.to)
        cs_foreign_dut_dump_waves(w->dut, 10 * cycle + (half ? 5 : 0));
}

/* ---- GTKWave ---- */

static void save_output(const cs_foreign_waves *w, unsigned pin, FILE *out)
{
    for (size_t i = w->first[pin];
         i != 0 && i < w->nr &&
         strncmp(w->names[i] + 5, w->unit->pins[pin].name, strlen(w->unit->pins[pin].name)) == 0;
         i++)
        cs_gtkwave_signal(out, w->signals[i].bits == 1 ? CS_GTKWAVE_BIT : CS_GTKWAVE_HEX,
                          (i - w->first[pin]) % 2 != 0, w->unit->pins[pin].name, w->names[i],
                          w->signals[i].bits);
}

static void save_all(const cs_foreign_waves *w, FILE *out)
{
    const int differs = w->plan.pin != NULL ? cs_foreign_pin_index(w->unit, w->plan.pin) : -1;

    cs_gtkwave_signal(out, CS_GTKWAVE_DECIMAL, false, NULL, "view cycle", 64);
    cs_gtkwave_title(out, "", "outputs");
    if (differs >= 0)
        save_output(w, (unsigned)differs, out);
    for (unsigned i = 0; w->unit->pins[i].name != NULL; i++)
        if ((int)i != differs)
            save_output(w, i, out);
    cs_gtkwave_title(out, "", "inputs");
    for (unsigned i = 1; w->unit->pins[i].name != NULL; i++) { /* behind the clock */
        const cs_foreign_pin *p = &w->unit->pins[i];
        char name[NAME];

        snprintf(name, sizeof name, "TOP %s", p->name);
        if (!p->output && !p->strap && w->design->linked[i])
            cs_gtkwave_signal(out, p->width == 1 ? CS_GTKWAVE_BIT : CS_GTKWAVE_HEX, false, NULL,
                              name, p->width);
    }
}

cs_status cs_foreign_waves_end(cs_foreign_waves *w, cs_diag *diag)
{
    const cs_cycle mark = w == NULL ? 0 : w->plan.pin != NULL ? w->plan.cycle : w->plan.from;
    FILE *out;
    bool good;

    if (w == NULL)
        return CS_OK;
    cs_foreign_dut_close_waves(w->dut);
    out = fopen(w->plan.save, "w");
    if (out != NULL) {
        cs_gtkwave_begin(out, w->plan.name, mark > w->plan.from + 12 ? mark - 12 : w->plan.from,
                         mark);
        save_all(w, out);
    }
    good = out != NULL && ferror(out) == 0;
    good = (out == NULL || fclose(out) == 0) && good;
    if (!good)
        cs_diag_set(diag, CS_ERR_IO, w->plan.save, "%s", strerror(errno));
    free(w);
    return good ? CS_OK : CS_ERR_IO;
}
