// SPDX-License-Identifier: Apache-2.0
#include "traces/timeline/perfetto_forms.h"

#include <stdlib.h>
#include <string.h>

#include "formats/perfetto/write/proto.h"

/* ---- json ---- */

static cs_status json_begin(const cs_text_sink *sink, unsigned clock_mhz,
                            const cs_perfetto_args *facts, void **out)
{
    *out = malloc(sizeof(cs_perfetto));
    if (*out == NULL)
        return CS_ERR_NO_MEMORY;
    cs_perfetto_begin(*out, sink, clock_mhz, facts);
    return CS_OK;
}

static cs_status json_name_group(void *timeline, unsigned group, const char *name, unsigned order)
{
    return cs_perfetto_name_group(timeline, group, name, order);
}

static cs_status json_name_track(void *timeline, cs_perfetto_track track, const char *name,
                                 unsigned order)
{
    return cs_perfetto_name_track(timeline, track, name, order);
}

static cs_status json_slice(void *timeline, cs_perfetto_track track, const char *name,
                            uint64_t from, uint64_t to, const cs_perfetto_args *args)
{
    return cs_perfetto_slice(timeline, track, name, from, to, args);
}

static cs_status json_instant(void *timeline, cs_perfetto_track track, const char *name,
                              uint64_t cycle, const cs_perfetto_args *args)
{
    return cs_perfetto_instant(timeline, track, name, cycle, args);
}

static cs_status json_counter(void *timeline, unsigned group, const char *name, const char *unit,
                              uint64_t cycle, double value)
{
    return cs_perfetto_counter(timeline, group, name, unit, cycle, value);
}

static cs_status json_end(void *timeline)
{
    return cs_perfetto_end(timeline);
}

/* ---- proto ---- */

static cs_status proto_begin(const cs_text_sink *sink, unsigned clock_mhz,
                             const cs_perfetto_args *facts, void **out)
{
    cs_perfetto_pb *timeline = NULL;
    const cs_status status = cs_perfetto_pb_create(sink, clock_mhz, &timeline);

    (void)facts; /* it has no place for them */
    *out = timeline;
    return status;
}

static cs_status proto_name_group(void *timeline, unsigned group, const char *name, unsigned order)
{
    return cs_perfetto_pb_name_group(timeline, group, name, order);
}

static cs_status proto_name_track(void *timeline, cs_perfetto_track track, const char *name,
                                  unsigned order)
{
    return cs_perfetto_pb_name_track(timeline, track, name, order);
}

static cs_status proto_slice(void *timeline, cs_perfetto_track track, const char *name,
                             uint64_t from, uint64_t to, const cs_perfetto_args *args)
{
    return cs_perfetto_pb_slice(timeline, track, name, from, to, args);
}

static cs_status proto_instant(void *timeline, cs_perfetto_track track, const char *name,
                               uint64_t cycle, const cs_perfetto_args *args)
{
    return cs_perfetto_pb_instant(timeline, track, name, cycle, args);
}

static cs_status proto_counter(void *timeline, unsigned group, const char *name, const char *unit,
                               uint64_t cycle, double value)
{
    return cs_perfetto_pb_counter(timeline, group, name, unit, cycle, value);
}

static cs_status proto_end(void *timeline)
{
    return cs_perfetto_pb_end(timeline);
}

static void proto_destroy(void *timeline)
{
    cs_perfetto_pb_destroy(timeline);
}

static const cs_perfetto_form forms[] = {
    {"json", json_begin, json_name_group, json_name_track, json_slice, json_instant, json_counter,
     json_end, free},
    {"proto", proto_begin, proto_name_group, proto_name_track, proto_slice, proto_instant,
     proto_counter, proto_end, proto_destroy},
};

const char *const cs_perfetto_flavours[] = {"json", "proto", NULL};

const cs_perfetto_form *cs_perfetto_form_of(const char *flavour)
{
    return &forms[strcmp(flavour, forms[1].flavour) == 0];
}
