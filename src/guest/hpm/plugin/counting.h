// SPDX-License-Identifier: Apache-2.0
/* Events of perf that count on a hart at one time, the last one begun behind the others. */
#ifndef CS_GUEST_HPM_PLUGIN_COUNTING_H
#define CS_GUEST_HPM_PLUGIN_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#define COUNTING_MOST 32u

typedef struct counting {
    uint64_t ids[COUNTING_MOST];
    unsigned nr;
} counting;

bool counting_has(const counting *c, uint64_t id);
/* From here on it is the last. */
void counting_begin(counting *c, uint64_t id);
void counting_end(counting *c, uint64_t id);
/* 0: none counts. */
uint64_t counting_last(const counting *c);

#endif
