// SPDX-License-Identifier: Apache-2.0
#include "formats/imc/catalog/nest_units.h"

#include <stdlib.h>
#include <string.h>

#include "base/bus/msb0.h"

#define NR_OF(ARRAY) (sizeof(ARRAY) / sizeof(ARRAY)[0])

/* Bits first..first+count-1 are the units <stem>0..; count 0: one unit without a number. `of_each`:
 * units <stem>0_0.. of one bit. */
typedef struct units {
    const char *stem;
    unsigned first;
    unsigned count;
    unsigned of_each;
} units;

static const units power9[] = {
    {"powerbus", 0, 1, 0}, {"mcs", 1, 8, 0},  {"mba", 9, 8, 0},  {"centaur", 17, 8, 0},
    {"xlink", 25, 3, 0},   {"mcd", 28, 2, 0}, {"phb", 30, 6, 0}, {"nx", 36, 0, 0},
    {"capp", 37, 2, 0},    {"vas", 39, 0, 0}, {"int", 40, 0, 0}, {"alink", 41, 4, 0},
    {"nvlink", 45, 6, 0},
};
static const units power10[] = {
    {"pb", 0, 0, 0},   {"mcs", 1, 8, 0},    {"pec", 9, 2, 0},
    {"phb", 35, 6, 3}, {"ocmb", 41, 16, 0}, {"nx", 57, 0, 0},
};

/* POWER10's links: three bits each, of link 0 first, say what it is. */
#define LINKS 8u
#define FIRST_LINK_BIT 11u
static const struct {
    const char *stem;
    unsigned of_each;
    unsigned value;
} link_kinds[] = {{"xlink", 0, 5}, {"alink", 0, 6}, {"otl", 2, 7}};

/* Two memory controllers, of which either will do. */
static const struct {
    const char *node;
    unsigned first;
} pairs[] = {{"mcs01", 1}, {"mcs23", 3}, {"mcs45", 5}, {"mcs67", 7}};

/* "<stem>N", or "<stem>N_M" with M < of_each. False for any other name. */
static bool number_of(const char *node, const char *stem, unsigned of_each, unsigned *number)
{
    const size_t length = strlen(stem);
    const char *digits = node + length;
    char *end;

    if (strncmp(node, stem, length) != 0 || digits[0] < '0' || digits[0] > '9' ||
        (digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'))
        return false;
    *number = (unsigned)strtoul(digits, &end, 10);
    if (of_each == 0)
        return *end == '\0';
    return end[0] == '_' && end[1] >= '0' && end[1] < (char)('0' + of_each) && end[2] == '\0';
}

static bool has_bit(const units *row, const char *node, unsigned *bit)
{
    unsigned number = 0;

    if (row->count == 0
            ? strcmp(node, row->stem) != 0
            : !number_of(node, row->stem, row->of_each, &number) || number >= row->count)
        return false;
    *bit = row->first + number;
    return true;
}

static bool link_is_there(const char *node, uint64_t availability)
{
    for (size_t i = 0; i < NR_OF(link_kinds); i++) {
        unsigned link;

        if (!number_of(node, link_kinds[i].stem, link_kinds[i].of_each, &link) || link >= LINKS)
            continue;
        const unsigned bit = FIRST_LINK_BIT + 3 * link;
        return cs_msb0(availability, bit, bit + 2) == link_kinds[i].value;
    }
    return true;
}

/* Pairs and units for debugging are looked for by the whole name of the node: one that has an
 * address is not found, and stays. */
static bool exact_name_is_there(const cs_imc_unit *unit, uint64_t availability)
{
    unsigned number;

    if (unit->has_address)
        return true;
    if (number_of(unit->node, "mcs", 0, &number) && number < 8 && unit->node[4] == '\0')
        return false;
    for (size_t i = 0; i < NR_OF(pairs); i++)
        if (strcmp(unit->node, pairs[i].node) == 0)
            return cs_msb0(availability, pairs[i].first, pairs[i].first + 1) != 0;
    return true;
}

bool cs_imc_nest_available(const cs_imc_unit *unit, cs_imc_generation generation,
                           uint64_t availability)
{
    const bool ten = generation == CS_IMC_GENERATION_POWER10;
    const units *rows = ten ? power10 : power9;
    const size_t nr = ten ? NR_OF(power10) : NR_OF(power9);
    unsigned bit;

    for (size_t i = 0; i < nr; i++)
        if (has_bit(&rows[i], unit->node, &bit) && cs_msb0(availability, bit, bit) == 0)
            return false;
    if (ten && !link_is_there(unit->node, availability))
        return false;
    return exact_name_is_there(unit, availability);
}

/* ---- which generation ---- */

/* Names that one of them has alone. */
static cs_imc_generation generation_of(const cs_imc_unit *unit)
{
    static const char *const nine[] = {"powerbus", "mba", "centaur", "capp", "nvlink"};
    static const char *const ten[] = {"pec", "ocmb", "otl"};
    unsigned number;

    for (size_t i = 0; i < NR_OF(nine); i++)
        if (number_of(unit->node, nine[i], 0, &number))
            return CS_IMC_GENERATION_POWER9;
    for (size_t i = 0; i < NR_OF(ten); i++)
        if (number_of(unit->node, ten[i], strcmp(ten[i], "otl") == 0 ? 2 : 0, &number))
            return CS_IMC_GENERATION_POWER10;
    return strcmp(unit->node, "pb") == 0 ? CS_IMC_GENERATION_POWER10 : CS_IMC_GENERATION_UNKNOWN;
}

cs_imc_generation cs_imc_catalog_generation(const cs_imc_catalog *catalog)
{
    const cs_imc_unit *core = catalog != NULL ? cs_imc_catalog_pmu(catalog, "core_imc") : NULL;
    const size_t nr = catalog != NULL ? cs_imc_catalog_nr_units(catalog) : 0;

    for (size_t i = 0; i < nr; i++) {
        const cs_imc_unit *unit = cs_imc_catalog_unit(catalog, i);
        const cs_imc_generation by_name =
            unit->domain == CS_IMC_DOMAIN_NEST ? generation_of(unit) : CS_IMC_GENERATION_UNKNOWN;

        if (by_name != CS_IMC_GENERATION_UNKNOWN)
            return by_name;
    }
    if (core == NULL || core->scale == NULL)
        return CS_IMC_GENERATION_UNKNOWN;
    if (strcmp(core->scale, "512") == 0)
        return CS_IMC_GENERATION_POWER9;
    return strcmp(core->scale, "1") == 0 ? CS_IMC_GENERATION_POWER10 : CS_IMC_GENERATION_UNKNOWN;
}
