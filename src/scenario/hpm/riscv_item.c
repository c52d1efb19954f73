// SPDX-License-Identifier: Apache-2.0
#include "scenario/hpm/riscv_item.h"

#include <string.h>

#define PINNED ":D"

static bool ends_with(const char *text, const char *end, const char *what)
{
    const size_t length = strlen(what);

    return (size_t)(end - text) > length && strncmp(end - length, what, length) == 0;
}

/* Something stands before and behind each comma. */
static bool has_gap(const char *at, const char *end)
{
    bool gap = at == end || *at == ',' || end[-1] == ',';

    for (const char *c = at; c + 1 < end; c++)
        gap |= c[0] == ',' && c[1] == ',';
    return gap;
}

cs_riscv_perf_item cs_riscv_perf_item_of(const char *text)
{
    cs_riscv_perf_item item = {.at = text, .end = text + strlen(text), .status = CS_OK};

    item.pinned = ends_with(text, item.end, PINNED);
    if (item.pinned)
        item.end -= strlen(PINNED);
    item.group = strpbrk(text, "{},") != NULL;
    if (!item.group)
        return item;
    item.broken = *item.at != '{' || item.end[-1] != '}' || item.end - item.at < 3;
    if (item.broken)
        return item;
    item.at++;
    item.end--;
    item.broken = has_gap(item.at, item.end) ||
                  memchr(item.at, '{', (size_t)(item.end - item.at)) != NULL ||
                  memchr(item.at, '}', (size_t)(item.end - item.at)) != NULL;
    return item;
}

size_t cs_riscv_perf_item_events(const char *text)
{
    size_t events = 1;

    for (; *text != '\0'; text++)
        events += *text == ',';
    return events;
}

const char *cs_riscv_perf_item_next(cs_riscv_perf_item *item, cs_yaml *memory, cs_diag *diag)
{
    const char *begin = item->at;
    const size_t left = (size_t)(item->end - begin);
    const char *comma = item->group ? memchr(begin, ',', left) : NULL;
    const char *end = comma != NULL ? comma : item->end;
    char *name;

    if (item->taken)
        return NULL;
    item->taken = comma == NULL;
    item->at = comma != NULL ? comma + 1 : item->end;
    name = cs_yaml_copy(memory, begin, (size_t)(end - begin), diag);
    item->status = name != NULL ? CS_OK : CS_ERR_NO_MEMORY;
    return name;
}
