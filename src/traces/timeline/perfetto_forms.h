// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: the two ways to write a timeline for Perfetto behind one table of functions, whose
 * contracts are those of formats/perfetto/write/json.h. */
#ifndef CS_TRACES_TIMELINE_PERFETTO_FORMS_H
#define CS_TRACES_TIMELINE_PERFETTO_FORMS_H

#include "formats/perfetto/write/json.h"

typedef struct cs_perfetto_form {
    const char *flavour;
    /* *out NULL on failure, which is that of memory. */
    cs_status (*begin)(const cs_text_sink *sink, unsigned clock_mhz, const cs_perfetto_args *facts,
                       void **out);
    cs_status (*name_group)(void *timeline, unsigned group, const char *name, unsigned order);
    cs_status (*name_track)(void *timeline, cs_perfetto_track track, const char *name,
                            unsigned order);
    cs_status (*slice)(void *timeline, cs_perfetto_track track, const char *name, uint64_t from,
                       uint64_t to, const cs_perfetto_args *args);
    cs_status (*instant)(void *timeline, cs_perfetto_track track, const char *name, uint64_t cycle,
                         const cs_perfetto_args *args);
    cs_status (*counter)(void *timeline, unsigned group, const char *name, const char *unit,
                         uint64_t cycle, double value);
    cs_status (*end)(void *timeline);
    void (*destroy)(void *timeline);
} cs_perfetto_form;

extern const char *const cs_perfetto_flavours[]; /* ended by NULL */

/* One of those. */
const cs_perfetto_form *cs_perfetto_form_of(const char *flavour);

#endif
