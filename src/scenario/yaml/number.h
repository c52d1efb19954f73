// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario. Numbers as they are written. */
#ifndef CS_SCENARIO_NUMBER_H
#define CS_SCENARIO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/scenario.h"
#include "scenario/work/workload_spec.h"

typedef enum cs_number {
    CS_NUMBER_OK,
    CS_NUMBER_NONE,     /* not a number */
    CS_NUMBER_NEGATIVE, /* less than 0 */
    CS_NUMBER_LARGE     /* more than 64 bits */
} cs_number;

/* The first `bytes` bytes of text, decimal without leading zeros or 0x. */
cs_number cs_number_read(const char *text, size_t bytes, uint64_t *value);

/* Hexadecimal digits, with or without 0x. */
cs_number cs_number_read_hex(const char *text, size_t bytes, uint64_t *value);

/* The same as cs_number_read, or a decimal and KiB, MiB or GiB behind it. */
cs_number cs_number_read_size(const char *text, uint64_t *value);

/* Digits with at most 12 behind the point, as a reduced fraction. CS_NUMBER_LARGE
 * from 10^6 on. */
cs_number cs_number_read_fraction(const char *text, cs_fraction *value);

/* "a-b": where the minus stands; 0 where there is none, or nothing before it. */
size_t cs_number_range(const char *text);

#endif
