// SPDX-License-Identifier: Apache-2.0
#include "formats/address/address.h"

#include <inttypes.h>
#include <string.h>

static const cs_pmu_layout default_layout = {
    .nr_levels = 6,
    .levels = {{"pmu", 4}, {"core", 4}, {"node", 1}, {"chip", 3}, {"blade", 5}, {"rack", 7}},
};

const cs_pmu_layout *cs_pmu_layout_default(void)
{
    return &default_layout;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool cs_pmu_is_name(const char *name)
{
    static const char others[] = "0123456789._-";
    size_t bytes = strlen(name);

    if (bytes == 0 || bytes >= CS_PMU_NAME_BYTES || !is_letter(name[0]) ||
        !is_letter(name[bytes - 1]))
        return false;
    for (size_t i = 0; i < bytes; i++)
        if (!is_letter(name[i]) && strchr(others, name[i]) == NULL)
            return false;
    return true;
}

static cs_status check_level(const cs_pmu_layout *layout, size_t level, cs_diag *diag)
{
    const cs_pmu_level *l = &layout->levels[level];

    if (!cs_pmu_is_name(l->name))
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "'%.31s' is no name of letters, digits and . _ - that begins and ends "
                           "with a letter",
                           l->name);
    for (size_t i = 0; i < level; i++)
        if (strcmp(layout->levels[i].name, l->name) == 0)
            return cs_diag_set(diag, CS_ERR_RANGE, NULL, "%s is the name of level %zu, too",
                               l->name, i);
    if (l->bits == 0 || l->bits > 64)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "%s has %u bits; 1..64 are allowed", l->name,
                           l->bits);
    return CS_OK;
}

cs_status cs_pmu_layout_check(const cs_pmu_layout *layout, cs_diag *diag)
{
    unsigned bits = 0;

    if (layout->nr_levels == 0 || layout->nr_levels > CS_PMU_MAX_LEVELS)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "%zu levels; 1..%u are allowed",
                           layout->nr_levels, CS_PMU_MAX_LEVELS);
    for (size_t i = 0; i < layout->nr_levels; i++) {
        cs_status status = check_level(layout, i, diag);

        if (status != CS_OK)
            return status;
        bits += layout->levels[i].bits;
        if (bits > 64)
            return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                               "with %s an address has %u bits; at most 64 are allowed",
                               layout->levels[i].name, bits);
    }
    return CS_OK;
}

unsigned cs_pmu_level_shift(const cs_pmu_layout *layout, size_t level)
{
    unsigned shift = 0;

    for (size_t i = 0; i < level; i++)
        shift += layout->levels[i].bits;
    return shift;
}

unsigned cs_pmu_layout_bits(const cs_pmu_layout *layout)
{
    return cs_pmu_level_shift(layout, layout->nr_levels);
}

static uint64_t ones(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

uint64_t cs_pmu_level_max(const cs_pmu_layout *layout, size_t level)
{
    return ones(layout->levels[level].bits);
}

cs_status cs_pmu_encode(const cs_pmu_layout *layout, const uint64_t *field, uint64_t *address,
                        cs_diag *diag)
{
    unsigned shift = 0;
    uint64_t sum = 0;

    for (size_t i = 0; i < layout->nr_levels; i++) {
        if (field[i] > cs_pmu_level_max(layout, i))
            return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                               "%s %" PRIu64 " is outside 0..%" PRIu64 " (%u bits)",
                               layout->levels[i].name, field[i], cs_pmu_level_max(layout, i),
                               layout->levels[i].bits);
        sum |= field[i] << shift;
        shift += layout->levels[i].bits;
    }
    *address = sum;
    return CS_OK;
}

cs_status cs_pmu_decode(const cs_pmu_layout *layout, uint64_t address, uint64_t *field,
                        cs_diag *diag)
{
    const unsigned bits = cs_pmu_layout_bits(layout);
    uint64_t rest = address;

    if (address > ones(bits))
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "0x%" PRIx64 " is outside 0..0x%" PRIx64 " (%u bits)", address,
                           ones(bits), bits);
    for (size_t i = 0; i < layout->nr_levels; i++) {
        field[i] = rest & cs_pmu_level_max(layout, i);
        rest = layout->levels[i].bits < 64 ? rest >> layout->levels[i].bits : 0;
    }
    return CS_OK;
}

uint64_t cs_pmu_path_address(const cs_pmu_layout *layout, const cs_pmu_path *path)
{
    unsigned shift = 0;
    uint64_t sum = 0;

    for (size_t i = 0; i < layout->nr_levels; i++) {
        sum |= path->first[i] << shift;
        shift += layout->levels[i].bits;
    }
    return sum;
}

cs_status cs_pmu_path_of(const cs_pmu_layout *layout, uint64_t address, cs_pmu_path *out,
                         cs_diag *diag)
{
    memset(out, 0, sizeof *out);
    cs_status status = cs_pmu_decode(layout, address, out->first, diag);
    if (status != CS_OK)
        return status;
    memcpy(out->last, out->first, sizeof out->last);
    out->levels = (1u << layout->nr_levels) - 1;
    return CS_OK;
}
