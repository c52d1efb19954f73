// SPDX-License-Identifier: Apache-2.0
#include "scenario/work/recipe.h"

cs_status cs_stream_of_recipe(cs_stream_pool *pool, const cs_stream_recipe *r,
                              const cs_stream *source, const cs_stream **out, cs_diag *diag)
{
    switch (r->kind) {
    case CS_STREAM_NONE:
        *out = cs_stream_zero();
        return CS_OK;
    case CS_STREAM_RATE:
        return cs_stream_rate(pool, r->rate, 0, out, diag);
    case CS_STREAM_PERIODIC:
        return cs_stream_periodic(pool, r->increment, r->period_cycles, r->offset_cycles, out,
                                  diag);
    case CS_STREAM_BURSTS:
        return cs_stream_bursts(pool, r->rate, r->length_cycles, r->period_cycles, r->offset_cycles,
                                out, diag);
    case CS_STREAM_RANDOM:
    case CS_STREAM_SPREAD:
        return cs_stream_random(pool, r->rate, r->max_increment, r->key, out, diag);
    case CS_STREAM_RATIO:
        return cs_stream_ratio(pool, source, r->rate, out, diag);
    case CS_STREAM_REPLAY:
        break;
    }
    return cs_diag_set(diag, CS_ERR_UNSUPPORTED, NULL, "a stream of kind %d has no recipe",
                       r->kind);
}
