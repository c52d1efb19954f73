// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: how the tables of a timeline's events are written. */
#ifndef CS_TRACES_TIMELINE_VIEW_FIELDS_H
#define CS_TRACES_TIMELINE_VIEW_FIELDS_H

#include "traces/timeline/view.h"

#define CS_VIEW_COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Fields. */
#define CS_VIEW_DECIMAL(name, bits)                                                                \
    {                                                                                              \
        name, CS_FIELD_DECIMAL, bits, NULL, 0                                                      \
    }
#define CS_VIEW_HEX(name, bits)                                                                    \
    {                                                                                              \
        name, CS_FIELD_HEX, bits, NULL, 0                                                          \
    }
#define CS_VIEW_TEXT(name)                                                                         \
    {                                                                                              \
        name, CS_FIELD_TEXT, 0, NULL, 0                                                            \
    }
#define CS_VIEW_ENUM(name, labels)                                                                 \
    {                                                                                              \
        name, CS_FIELD_ENUM, 8, labels, CS_VIEW_COUNT(labels)                                      \
    }

#define CS_VIEW_CLASS(name, shape, fields)                                                         \
    {                                                                                              \
        name, shape, fields, CS_VIEW_COUNT(fields)                                                 \
    }

/* Of a kind of tracks: its names; its only class (with static storage), or several. */
#define CS_VIEW_NAMES(...)                                                                         \
    .names = (const char *const[]){__VA_ARGS__},                                                   \
    .nr_names = CS_VIEW_COUNT(((const char *const[]){__VA_ARGS__}))
#define CS_VIEW_ONE(class) .classes = (const cs_view_class *const[]){&(class)}, .nr_classes = 1
#define CS_VIEW_SEVERAL(table) .classes = table, .nr_classes = CS_VIEW_COUNT(table)

/* Labels that several have. */
#define CS_VIEW_DIRECTIONS                                                                         \
    {                                                                                              \
        {0, "read"},                                                                               \
        {                                                                                          \
            1, "write"                                                                             \
        }                                                                                          \
    }
#define CS_VIEW_RESPONSES                                                                          \
    {                                                                                              \
        {CS_BUS_OKAY, "OKAY"}, {CS_BUS_SLVERR, "SLVERR"},                                          \
        {                                                                                          \
            CS_BUS_DECERR, "DECERR"                                                                \
        }                                                                                          \
    }

/* The name of a value; NULL: it has none. */
static inline const char *cs_view_label(const cs_field *field, uint64_t value)
{
    for (size_t i = 0; i < field->nr_labels; i++)
        if (field->labels[i].value == value)
            return field->labels[i].name;
    return NULL;
}

#endif
