// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario. What the keys of a segment say, of all kinds of CPUs. */
#ifndef CS_SCENARIO_WORK_CPU_TEXTS_H
#define CS_SCENARIO_WORK_CPU_TEXTS_H

#include "scenario/keys.h"

#define CS_CPU_TEXT_BYTES 160u
#define CS_CPU_MODES 24u

typedef struct cs_cpu_texts_type {
    cs_key_choice modes[CS_CPU_MODES]; /* of all; the last has no name */
    char mode_fallback[CS_CPU_TEXT_BYTES];
    char mode[CS_CPU_TEXT_BYTES];
    char cid1[CS_CPU_TEXT_BYTES], cid2[CS_CPU_TEXT_BYTES];
    char events[CS_CPU_TEXT_BYTES];
    char workloads[CS_CPU_TEXT_BYTES];
} cs_cpu_texts_type;

extern cs_cpu_texts_type cs_cpu_texts;

void cs_make_cpu_texts(void);

#endif
