// SPDX-License-Identifier: Apache-2.0
/* Waves of a run: a window of cycles of the whole RTL as a file in FST, and in its scope `view` what
 * model and RTL told in their records, side by side; a save file for GTKWave.
 *
 * Cycle t is the time from 10 t to before 10 t + 10, in ns, whatever the clock. Everything changes in
 * 10 t, with the rising clock: what is shown is what has settled in the cycle. */
#ifndef CS_LOCKSTEP_WAVES_H
#define CS_LOCKSTEP_WAVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lockstep/die/find.h"
#include "scenario/scenario.h"
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is asked for. */
typedef struct cs_waves_request {
    const char *path;  /* of the file in FST, which is made */
    const char *save;  /* of GTKWave's */
    const char *name;  /* of the file in FST, as GTKWave's is to have it */
    cs_cycle from, to; /* cycles below `to` */
    bool differs;      /* there is a first difference: */
    cs_cycle cycle;    /* its cycle, where the marker is put if that is in the window */
    bool has_record;   /* a record differs: its source is shown first */
    cs_probe_record record;
} cs_waves_request;

/* Simulates both sides until the window's end and writes both files. Once in a process, and not beside
 * cs_compare. CS_ERR_RANGE: the software ends before the window begins; CS_ERR_UNSUPPORTED: no RTL
 * (cs_die_find); CS_ERR_IO; CS_ERR_NO_MEMORY. */
cs_status cs_waves_run(const cs_scenario *scenario, const cs_die_options *die,
                       const cs_waves_request *request, cs_diag *diag);

/* ---- `view` ---- */

typedef struct cs_waves_view cs_waves_view;
struct cs_die_signal;

/* Without signals. */
cs_status cs_waves_view_create(const cs_waves_request *request, cs_waves_view **out, cs_diag *diag);
void cs_waves_view_destroy(cs_waves_view *view); /* NULL is allowed */

/* Bytes of a transfer of a side, before its record, as cs_probe_sink.data tells them. */
void cs_waves_view_data(cs_waves_view *view, bool rtl, uint64_t hash, const uint8_t *data,
                        unsigned bytes);
/* A record of a side. */
void cs_waves_view_record(cs_waves_view *view, bool rtl, const cs_probe_record *record);
/* A list of signals, of all sources that have sent records until now; it lives as long as the view. NULL:
 * no memory. */
struct cs_die_signal *cs_waves_view_signals(cs_waves_view *view, size_t *nr);
/* The signals are those of this cycle; cycles rise. */
void cs_waves_view_show(cs_waves_view *view, cs_cycle cycle);
/* CS_ERR_NO_MEMORY: records were lost. */
cs_status cs_waves_view_status(const cs_waves_view *view);
const cs_waves_request *cs_waves_view_request(const cs_waves_view *view);

/* The save file: the signals of the request's source, then those of all others. CS_ERR_IO. */
cs_status cs_waves_view_save(const cs_waves_view *view, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
