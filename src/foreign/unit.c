// SPDX-License-Identifier: Apache-2.0
#include "foreign/unit.h"

#include <string.h>

#include "foreign/units.h"

#define DECLARE(name) extern const cs_foreign_unit cs_foreign_##name;
CS_FOREIGN_UNITS(DECLARE)
#undef DECLARE

#define ROW(name) &cs_foreign_##name,
static const cs_foreign_unit *const units[] = {CS_FOREIGN_UNITS(ROW)};
#undef ROW

#define NR_UNITS (sizeof units / sizeof units[0])

int cs_foreign_pin_index(const cs_foreign_unit *unit, const char *name)
{
    for (int i = 0; unit->pins[i].name != NULL; i++)
        if (strcmp(unit->pins[i].name, name) == 0)
            return i;
    return -1;
}

int cs_foreign_setting_index(const cs_foreign_unit *unit, const char *name)
{
    for (int i = 0; unit->settings[i].name != NULL; i++)
        if (strcmp(unit->settings[i].name, name) == 0)
            return i;
    return -1;
}

const cs_foreign_unit *cs_foreign_find_unit(const char *name)
{
    for (size_t i = 0; i < NR_UNITS; i++)
        if (strcmp(units[i]->name, name) == 0)
            return units[i];
    return NULL;
}

void cs_foreign_each_unit(void (*tell)(void *ctx, const cs_foreign_unit *unit), void *ctx)
{
    for (size_t i = 0; i < NR_UNITS; i++)
        tell(ctx, units[i]);
}

bool cs_foreign_left_out(const cs_foreign_design *design, uint64_t address)
{
    for (size_t i = 0; i < design->nr_leaves_out; i++)
        if (address >= design->leaves_out[i].first && address <= design->leaves_out[i].last)
            return true;
    return design->address_bits != 0 && address >> design->address_bits != 0;
}

bool cs_foreign_has_field(const cs_foreign_design *design, unsigned pin, unsigned field)
{
    return design->linked[pin] &&
           (design->fields[pin] == 0 ||
            (field >= design->first[pin] && field < design->first[pin] + design->fields[pin]));
}

uint64_t cs_foreign_largest(const cs_foreign_design *design, unsigned pin, unsigned bits)
{
    const unsigned theirs =
        design->fields[pin] != 0 ? design->field[pin] : design->bits[pin]; /* 0: ours */

    if (theirs != 0 && theirs < bits)
        bits = theirs;
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}
