// SPDX-License-Identifier: Apache-2.0
/* Paths of PMUs as text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/address/address.h"

typedef struct reader {
    const cs_pmu_layout *layout;
    const char *text;
    bool ranges;
    bool firmware; /* below CS_PMU_FIRMWARE_ROOT */
    cs_pmu_path *out;
    size_t below; /* the next level must be under this one */
    cs_diag *diag;
} reader;

/* "memctl0-3" in its parts. */
typedef struct element {
    const char *text;
    size_t bytes;
    size_t name_bytes;
    uint64_t first, last;
    bool is_range;
} element;

#define FAIL(r, status, at, ...)                                                                   \
    cs_diag_set_at((r)->diag, status, NULL, 0, (unsigned)((at) - (r)->text) + 1, __VA_ARGS__)
#define SHOWN(e) (int)((e)->bytes < 60 ? (e)->bytes : 60), (e)->text

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The digits before text[end]; where they begin. */
static size_t digits_before(const char *text, size_t end)
{
    while (end > 0 && is_digit(text[end - 1]))
        end--;
    return end;
}

/* One spelling a number: no zeros in front. Saturates: no level has so many. */
static bool number(const char *text, size_t bytes, uint64_t *value)
{
    uint64_t sum = 0;

    if (bytes == 0 || (text[0] == '0' && bytes > 1))
        return false;
    for (size_t i = 0; i < bytes; i++) {
        const uint64_t digit = (uint64_t)(text[i] - '0');

        if (sum > (UINT64_MAX - digit) / 10)
            return false;
        sum = 10 * sum + digit;
    }
    *value = sum;
    return true;
}

/* "blade@4": a name and a number in hex, one spelling each. */
static cs_status split_firmware(const reader *r, element *e)
{
    const char *at = memchr(e->text, '@', e->bytes);
    const char *end = e->text + e->bytes;
    uint64_t value = 0;
    bool good = at != NULL && at + 1 < end && end - at <= 17 && (at[1] != '0' || at + 2 == end);

    for (const char *c = good ? at + 1 : end; good && c < end; c++) {
        const char *digit = *c != '\0' ? strchr("0123456789abcdef", *c) : NULL;

        good = digit != NULL;
        value = 16 * value + (good ? (uint64_t)(digit - "0123456789abcdef") : 0);
    }
    if (!good)
        return FAIL(r, CS_ERR_FORMAT, e->text,
                    "'%.*s' is no name with a unit address (hex, no zeros in front), as blade@4",
                    SHOWN(e));
    e->name_bytes = (size_t)(at - e->text);
    e->is_range = false;
    e->first = e->last = value;
    return CS_OK;
}

static cs_status split(const reader *r, element *e)
{
    if (r->firmware)
        return split_firmware(r, e);
    const char *text = e->text;
    const size_t last = digits_before(text, e->bytes);
    size_t first = last;

    e->is_range = false;
    e->name_bytes = last;
    if (last > 1 && last < e->bytes && text[last - 1] == '-') {
        first = digits_before(text, last - 1);
        e->is_range = first < last - 1;
    }
    if (e->is_range)
        e->name_bytes = first;
    if (!number(text + last, e->bytes - last, &e->last) ||
        (e->is_range && !number(text + first, last - 1 - first, &e->first)))
        return FAIL(r, CS_ERR_FORMAT, text,
                    "'%.*s' is no name with a number (decimal, no zeros in front), as blade4",
                    SHOWN(e));
    if (!e->is_range)
        e->first = e->last;
    return CS_OK;
}

static cs_status check_numbers(const reader *r, const element *e, size_t level)
{
    const uint64_t max = cs_pmu_level_max(r->layout, level);

    if (e->is_range && !r->ranges)
        return FAIL(r, CS_ERR_FORMAT, e->text, "'%.*s' is a range; one number is expected",
                    SHOWN(e));
    if (e->first > e->last)
        return FAIL(r, CS_ERR_FORMAT, e->text, "'%.*s' ends before it begins", SHOWN(e));
    if (e->last > max)
        return FAIL(r, CS_ERR_RANGE, e->text,
                    "%.*s: %" PRIu64 " is outside %s 0..%" PRIu64 " (%u bits)", SHOWN(e), e->last,
                    r->layout->levels[level].name, max, r->layout->levels[level].bits);
    return CS_OK;
}

/* Its level; 0: none has this name, so it is a kind of PMU. */
static size_t level_of(const cs_pmu_layout *layout, const element *e)
{
    for (size_t i = 1; i < layout->nr_levels; i++)
        if (strlen(layout->levels[i].name) == e->name_bytes &&
            memcmp(layout->levels[i].name, e->text, e->name_bytes) == 0)
            return i;
    return 0;
}

static cs_status no_level(const reader *r, const element *e)
{
    char known[CS_PMU_MAX_LEVELS * (CS_PMU_NAME_BYTES + 2)] = "none";
    size_t n = 0;

    for (size_t i = r->layout->nr_levels - 1; i > 0; i--)
        n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n > 0 ? ", " : "",
                              r->layout->levels[i].name);
    return FAIL(r, CS_ERR_FORMAT, e->text,
                "%.*s: '%.*s' is no level, and a PMU is the last of a path; levels are %s",
                SHOWN(e), (int)(e->name_bytes < 31 ? e->name_bytes : 31), e->text, known);
}

static cs_status take_kind(const reader *r, const element *e)
{
    if (e->name_bytes < CS_PMU_NAME_BYTES) {
        memcpy(r->out->kind, e->text, e->name_bytes);
        r->out->kind[e->name_bytes] = '\0';
        if (cs_pmu_is_name(r->out->kind))
            return CS_OK;
    }
    return FAIL(r, CS_ERR_FORMAT, e->text,
                "'%.*s' is no name of letters, digits and . _ - that begins and ends with a letter "
                "(at most %u), with a number",
                SHOWN(e), CS_PMU_NAME_BYTES - 1);
}

static cs_status take(reader *r, element *e, bool is_last)
{
    cs_status status = split(r, e);

    if (status != CS_OK)
        return status;
    const size_t level = level_of(r->layout, e);
    if (level == 0 && !is_last)
        return no_level(r, e);
    if (level >= r->below)
        return FAIL(r, CS_ERR_FORMAT, e->text, "%.*s: %s is not below %s", SHOWN(e),
                    r->layout->levels[level].name, r->layout->levels[r->below].name);
    status = check_numbers(r, e, level);
    if (status == CS_OK && level == 0)
        status = take_kind(r, e);
    r->out->levels |= 1u << level;
    r->out->first[level] = e->first;
    r->out->last[level] = e->last;
    r->below = level;
    return status;
}

static bool is_below(const char *text, const char *root)
{
    const size_t bytes = strlen(root);

    return strncmp(text, root, bytes) == 0 && (text[bytes] == '\0' || text[bytes] == '/');
}

/* Behind the root, and behind one slash. */
static const char *relative(const char *text)
{
    if (is_below(text, CS_PMU_ROOT))
        text += strlen(CS_PMU_ROOT);
    else if (is_below(text, CS_PMU_FIRMWARE_ROOT))
        text += strlen(CS_PMU_FIRMWARE_ROOT);
    else if (text[0] == '/' && text[1] != '\0')
        return text; /* of another tree: an error at its slash */
    return text[0] == '/' ? text + 1 : text;
}

cs_status cs_pmu_path_parse(const cs_pmu_layout *layout, const char *text, bool ranges,
                            cs_pmu_path *out, cs_diag *diag)
{
    reader r = {layout, text, ranges, is_below(text, CS_PMU_FIRMWARE_ROOT), out, layout->nr_levels,
                diag};
    const char *at = relative(text);

    memset(out, 0, sizeof *out);
    if (*at == '/')
        return FAIL(&r, CS_ERR_FORMAT, at, "a path is relative, or begins with " CS_PMU_ROOT);
    while (*at != '\0') {
        element e = {.text = at, .bytes = strcspn(at, "/")};
        const char *next = at + e.bytes;
        const bool is_last = next[0] == '\0' || next[1] == '\0';
        cs_status status = take(&r, &e, is_last);

        if (status != CS_OK)
            return status;
        at = *next == '/' ? next + 1 : next;
    }
    return CS_OK;
}

/* The last level of a path; of the whole tree all levels are above it. */
static size_t lowest(const cs_pmu_path *path)
{
    for (size_t i = 0; i < CS_PMU_MAX_LEVELS; i++)
        if ((path->levels >> i & 1) != 0)
            return i;
    return CS_PMU_MAX_LEVELS;
}

bool cs_pmu_path_meets(const cs_pmu_path *a, const cs_pmu_path *b)
{
    const size_t first = lowest(a) > lowest(b) ? lowest(a) : lowest(b);

    for (size_t i = first; i < CS_PMU_MAX_LEVELS; i++)
        if (((a->levels ^ b->levels) >> i & 1) != 0 || a->first[i] > b->last[i] ||
            b->first[i] > a->last[i])
            return false;
    return first != 0 || strcmp(a->kind, b->kind) == 0;
}

size_t cs_pmu_path_print_firmware(const cs_pmu_layout *layout, const cs_pmu_path *path,
                                  char text[CS_PMU_PATH_BYTES])
{
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = layout->nr_levels; i-- > 0;)
        if ((path->levels >> i & 1) != 0)
            n += (size_t)snprintf(
                text + n, CS_PMU_PATH_BYTES - n, "%s%s@%" PRIx64, n > 0 ? "/" : "",
                i == 0 && path->kind[0] != '\0' ? path->kind : layout->levels[i].name,
                path->first[i]);
    return n;
}

size_t cs_pmu_path_print(const cs_pmu_layout *layout, const cs_pmu_path *path,
                         char text[CS_PMU_PATH_BYTES])
{
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = layout->nr_levels; i-- > 0;) {
        const char *name = i == 0 && path->kind[0] != '\0' ? path->kind : layout->levels[i].name;

        if ((path->levels >> i & 1) == 0)
            continue;
        n += (size_t)snprintf(text + n, CS_PMU_PATH_BYTES - n, "%s%s%" PRIu64, n > 0 ? "/" : "",
                              name, path->first[i]);
        if (path->last[i] != path->first[i])
            n += (size_t)snprintf(text + n, CS_PMU_PATH_BYTES - n, "-%" PRIu64, path->last[i]);
    }
    return n;
}
