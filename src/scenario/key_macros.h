// SPDX-License-Identifier: Apache-2.0
/* How a section's keys are written down: a row a key. For the files <section>_section.c alone. */
#ifndef CS_SCENARIO_KEY_MACROS_H
#define CS_SCENARIO_KEY_MACROS_H

#include <stddef.h>
#include <stdint.h>

#include "scenario/keys.h"
#include "scenario/section.h"
#include <countersink/base/stream/stream.h>

/* Where a value goes: a member of a structure and its width. */
#define AT(type, member) .offset = offsetof(type, member), .width = sizeof(((type *)NULL)->member)
/* A list: its pointer, or first flag, or first element, and its length. */
#define AT_LIST(type, member, nr)                                                                  \
    .offset = offsetof(type, member), .count_offset = offsetof(type, nr)
#define AT_FLAGS(type, member) .offset = offsetof(type, member), .width = 0

#define NUMBER(name_, unit_, min_, max_, fallback_, text_)                                         \
    .name = name_, .type = CS_KEY_NUMBER, .unit = unit_, .min = min_, .max = max_, .step = 1,      \
    .fallback = fallback_, .text = text_
#define BYTES(name_, min_, max_, step_, fallback_, text_)                                          \
    .name = name_, .type = CS_KEY_SIZE, .unit = "bytes", .min = min_, .max = max_, .step = step_,  \
    .fallback = fallback_, .text = text_
#define TIME(name_, min_, max_, fallback_, text_)                                                  \
    .name = name_, .type = CS_KEY_TIME, .unit = "us", .min = min_, .max = max_, .step = 1,         \
    .fallback = fallback_, .text = text_
#define OTHER(name_, type_, fallback_, text_)                                                      \
    .name = name_, .type = type_, .unit = "", .fallback = fallback_, .text = text_
#define CHOICE(name_, choices_, fallback_, text_)                                                  \
    .name = name_, .type = CS_KEY_CHOICE, .unit = "", .choices = choices_, .fallback = fallback_,  \
    .text = text_
#define TEXT(name_, max_, fallback_, text_)                                                        \
    .name = name_, .type = CS_KEY_NAME, .unit = "", .min = 1, .max = max_, .fallback = fallback_,  \
    .text = text_
#define PATH(name_, max_, fallback_, text_)                                                        \
    .name = name_, .type = CS_KEY_FILE, .unit = "", .min = 1, .max = max_, .fallback = fallback_,  \
    .text = text_
#define MAP(name_, shape_, text_)                                                                  \
    .name = name_, .type = CS_KEY_MAP, .unit = "", .shape = shape_, .fallback = "{}", .text = text_
#define LIST(name_, shape_, min_, max_, fallback_, text_)                                          \
    .name = name_, .type = CS_KEY_LIST, .unit = "", .min = min_, .max = max_, .shape = shape_,     \
    .fallback = fallback_, .text = text_

#define NAMES(name_, text_)                                                                        \
    .name = name_, .type = CS_KEY_NAMES, .unit = "", .min = 0, .max = 255, .fallback = "[]",       \
    .text = text_

#define SHAPE(name_, keys_, type_)                                                                 \
    .name = name_, .keys = keys_, .nr_keys = sizeof keys_ / sizeof keys_[0], .bytes = sizeof(type_)

#define MAX_US 1000000000000u /* eleven days */
#define PAGE 4096u
#define LAST_PAGE (UINT64_MAX - PAGE + 1)
#define SECTION(section_, keys_, type_)                                                            \
    .name = section_, .keys = keys_, .nr_keys = sizeof keys_ / sizeof keys_[0],                    \
    .bytes = sizeof(type_)
#define PART(section_, keys_)                                                                      \
    .name = section_, .keys = keys_, .nr_keys = sizeof keys_ / sizeof keys_[0]

#endif
