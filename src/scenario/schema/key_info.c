// SPDX-License-Identifier: Apache-2.0
/* Questions that the table of keys answers. */
#include <stdio.h>
#include <string.h>

#include "scenario/keys.h"
#include "scenario/section_list.h"

#define PATH_BYTES 256u

typedef struct walker {
    bool (*visit)(void *ctx, const char *path, const cs_key *key);
    void *ctx;
    char path[PATH_BYTES];
} walker;

static bool walk(walker *w, const cs_key_shape *shape, size_t length)
{
    for (size_t i = 0; i < shape->nr_keys; i++) {
        const cs_key *key = &shape->keys[i];
        int n = snprintf(w->path + length, PATH_BYTES - length, "%s%s", length > 0 ? "." : "",
                         key->name);
        size_t end = length + (size_t)n;

        if (!w->visit(w->ctx, w->path, key))
            return false;
        if (key->shape == NULL || key->without != NULL)
            continue;
        if (key->type == CS_KEY_LIST)
            end += (size_t)snprintf(w->path + end, PATH_BYTES - end, "[]");
        if (!walk(w, key->shape, end))
            return false;
    }
    return true;
}

void cs_scenario_keys(bool (*visit)(void *ctx, const char *path, const cs_key *key), void *ctx)
{
    walker w = {.visit = visit, .ctx = ctx};

    walk(&w, cs_scenario_shape(), 0);
}

const cs_key *cs_scenario_key(const char *path)
{
    const cs_key_shape *shape = cs_scenario_shape();
    const char *without = NULL;

    while (shape != NULL) {
        const size_t bytes = strcspn(path, ".[");
        const cs_key *key = NULL;

        for (size_t i = 0; i < shape->nr_keys && key == NULL; i++)
            if (strlen(shape->keys[i].name) == bytes &&
                strncmp(shape->keys[i].name, path, bytes) == 0)
                key = &shape->keys[i];
        if (key == NULL || (without != NULL && strcmp(key->name, without) == 0))
            return NULL;
        path += bytes;
        path += key->type == CS_KEY_LIST && strncmp(path, "[]", 2) == 0 ? 2 : 0;
        if (*path == '\0')
            return key;
        if (*path++ != '.')
            return NULL;
        shape = key->shape;
        without = key->without;
    }
    return NULL;
}

/* Large powers of two are easier to read as such. */
static int print_number(char *buffer, size_t size, uint64_t value)
{
    for (unsigned n = 20; n <= 64; n++) {
        uint64_t power = n < 64 ? (uint64_t)1 << n : 0;

        if (value == power && n < 64)
            return snprintf(buffer, size, "2^%u", n);
        if (power - 1 - value < 8)
            return snprintf(buffer, size, "2^%u-%u", n, (unsigned)(power - value));
    }
    if (value != 0 && value == (uint64_t)0 - 4096)
        return snprintf(buffer, size, "2^64-4096");
    return snprintf(buffer, size, "%llu", (unsigned long long)value);
}

static void print_range(const cs_key *key, char *buffer, size_t size)
{
    char low[32], high[32];

    print_number(low, sizeof low, key->min);
    print_number(high, sizeof high, key->max);
    int n =
        snprintf(buffer, size, "%s..%s%s%s", low, high, key->unit[0] != '\0' ? " " : "", key->unit);
    if (key->step > 1 && (size_t)n < size)
        snprintf(buffer + n, size - (size_t)n, ", a multiple of %llu",
                 (unsigned long long)key->step);
}

static void print_choices(const cs_key *key, char *buffer, size_t size)
{
    size_t n = 0;

    for (const cs_key_choice *c = key->choices; c->name != NULL && n < size; c++)
        n += (size_t)snprintf(buffer + n, size - n, "%s%s",
                              c == key->choices   ? ""
                              : c[1].name == NULL ? " or "
                                                  : ", ",
                              c->name);
}

static void print_address(char *buffer, size_t size)
{
    size_t n = (size_t)snprintf(buffer, size, "a number");

    for (size_t i = 0; i < cs_nr_sections && n < size; i++)
        if (cs_sections[i].section->registers != NULL)
            n += (size_t)snprintf(buffer + n, size - n, ", %s",
                                  cs_sections[i].section->registers->forms);
}

const char *cs_key_allowed(const cs_key *key, char *buffer, size_t size)
{
    static const char *const fixed[] = {
        [CS_KEY_MAP] = "a map",
        [CS_KEY_TIME] = "a time, as 60us, 1.5ms or 2s",
        [CS_KEY_FLAG] = "true or false",
        [CS_KEY_LABEL] = "letters, digits and . _ -, not beginning with a point",
        [CS_KEY_CPUS] = "all, a CPU number, or a list of numbers and \"a-b\"",
        [CS_KEY_EVENT] = "0..0xffff, an Arm event name, or an event of the catalog",
        [CS_KEY_EVENTS] = "0..0xffff, \"a-b\", an Arm event name, or an event of the catalog",
        [CS_KEY_USER_EVENTS] = "hexadecimal words up to ffff, \"a-b\", or a list of events",
        [CS_KEY_LOADED] = "a file name",
        [CS_KEY_OVERLAY] = "a map of keys of a scenario",
        [CS_KEY_NAMES] = "a list of names",
    };

    switch (key->type) {
    case CS_KEY_NUMBER:
    case CS_KEY_SIZE:
    case CS_KEY_RATE:
        print_range(key, buffer, size);
        break;
    case CS_KEY_CHOICE:
    case CS_KEY_CHOICES:
        print_choices(key, buffer, size);
        break;
    case CS_KEY_ADDRESS:
        print_address(buffer, size);
        break;
    case CS_KEY_NAME:
    case CS_KEY_FILE:
        snprintf(buffer, size, "text of 1..%llu bytes", (unsigned long long)key->max);
        break;
    case CS_KEY_LIST:
        snprintf(buffer, size, "a list of %llu..%llu", (unsigned long long)key->min,
                 (unsigned long long)key->max);
        break;
    default:
        snprintf(buffer, size, "%s", fixed[key->type]);
    }
    return buffer;
}

bool cs_key_in(const char *list, const char *word)
{
    size_t bytes = strlen(word);

    for (const char *p = list; p != NULL && *p != '\0';) {
        size_t n = strcspn(p, " ");

        if (n == bytes && memcmp(p, word, n) == 0)
            return true;
        p += n + strspn(p + n, " ");
    }
    return false;
}

cs_key_need cs_key_need_of(const cs_key *selector, const cs_key_choice *choice, const char *name)
{
    if (cs_key_in(choice->needs, name))
        return CS_KEY_NEEDED;
    if (cs_key_in(choice->may, name))
        return CS_KEY_ALLOWED;
    for (const cs_key_choice *c = selector->choices; c->name != NULL; c++)
        if (cs_key_in(c->needs, name) || cs_key_in(c->may, name))
            return CS_KEY_REFUSED;
    return CS_KEY_FREE;
}
