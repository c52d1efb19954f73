// SPDX-License-Identifier: Apache-2.0
/* What a guest's nest does by itself: the scenario's nest.segments, as lines of the plugin's settings,
 * and what they count. */
#ifndef CS_GUEST_IMC_SEGMENTS_H
#define CS_GUEST_IMC_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct segments segments;

/* None yet, which counts nothing. NULL: no memory. */
segments *segments_create(void);
void segments_destroy(segments *s); /* NULL is allowed */

/* Takes a line of settings; false: it is none of segments.
 *   segment CYCLES                                         0: for ever
 *   stream COUNTER KIND P Q PERIOD OFFSET LENGTH KEY INCREMENT MOST OF
 * of the last segment; numbers in hexadecimal, named as in cs_stream_recipe. COUNTER and OF are
 * events of a nest: offset / 8. What a ratio follows comes first. */
bool segments_take(segments *s, const char *line);

/* After all lines. CS_ERR_FORMAT: a line was not one. */
cs_status segments_end(segments *s, cs_diag *diag);

/* Whether a segment says what the counter counts; what it does in [from, to). NULL: none does. */
bool segments_have(const segments *s, uint32_t counter);
uint64_t segments_sum(segments *s, uint32_t counter, cs_cycle from, cs_cycle to);

#ifdef __cplusplus
}
#endif

#endif
