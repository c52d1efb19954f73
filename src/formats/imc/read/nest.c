// SPDX-License-Identifier: Apache-2.0
#include "formats/imc/read/nest.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bus/big.h"
#include "base/bus/msb0.h"

/* ---- groups ---- */

static const struct group {
    const char *name;
    const char *description;
    uint32_t header;
    uint32_t trailer;
} groups[CS_IMC_NEST_GROUPS] = {
    {"1", "powerbus, mcs", 0x000, 0x108},    {"2", "xlink, nx", 0x110, 0x218},
    {"3", "nvlink", 0x220, 0x328},           {"4", "phb", 0x330, 0x438},
    {"5", "mba0-3, alink0-1", 0x440, 0x548}, {"6", "mba4-7, alink2-3", 0x550, 0x658},
    {"7", "npcq, capp, tod", 0x660, 0x768},  {"1 debug", "powerbus, mcs", 0x10000, 0x10108},
};

static cs_imc_group_state state_of(uint64_t header, uint64_t trailer)
{
    if (header == trailer)
        return header == 0 ? CS_IMC_GROUP_NEVER : CS_IMC_GROUP_WHOLE;
    /* They count for ever: which is ahead is a matter of the shorter way around. */
    return header - trailer <= UINT64_MAX / 2 ? CS_IMC_GROUP_BUSY : CS_IMC_GROUP_OVERRUN;
}

void cs_imc_nest_group_get(const uint8_t *window, size_t nr, cs_imc_nest_group *out)
{
    const struct group *group = &groups[nr];

    out->name = group->name;
    out->description = group->description;
    out->header_offset = group->header;
    out->trailer_offset = group->trailer;
    out->header = cs_big_get64(window + group->header);
    out->trailer = cs_big_get64(window + group->trailer);
    out->state = state_of(out->header, out->trailer);
}

size_t cs_imc_nest_group_of(uint32_t offset)
{
    size_t nr = 0;

    while (nr < CS_IMC_NEST_GROUPS && (offset <= groups[nr].header || offset >= groups[nr].trailer))
        nr++;
    return nr;
}

const char *cs_imc_group_state_text(cs_imc_group_state state)
{
    static const char *const texts[] = {
        [CS_IMC_GROUP_WHOLE] = "whole",
        [CS_IMC_GROUP_NEVER] = "never posted",
        [CS_IMC_GROUP_BUSY] = "being posted when the image was taken",
        [CS_IMC_GROUP_OVERRUN] = "posted while the image was taken",
    };

    return (unsigned)state < sizeof texts / sizeof texts[0] ? texts[state] : "?";
}

/* ---- the control block ---- */

void cs_imc_control_decode(const uint8_t bytes[CS_IMC_CONTROL_BYTES], cs_imc_control *out)
{
    *out = (cs_imc_control){
        .status = cs_big_get64(bytes),
        .command = cs_big_get64(bytes + 8),
        .speed = cs_big_get64(bytes + 16),
        .units = cs_big_get64(bytes + 24),
        .mode = cs_big_get64(bytes + 32),
        .mode_state = cs_big_get64(bytes + 40),
    };
}

/* Text that is added to a buffer of CS_IMC_MEANING_BYTES as long as it fits. */
typedef struct writer {
    char *buffer;
    size_t length;
} writer;

__attribute__((format(printf, 2, 3))) static void add(writer *w, const char *format, ...)
{
    const size_t room = CS_IMC_MEANING_BYTES - w->length;
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(w->buffer + w->length, room, format, arguments);
    va_end(arguments);
    if (length > 0)
        w->length += (size_t)length < room ? (size_t)length : room - 1;
}

/* Words that are one of a list. */
typedef struct choice {
    size_t nr;
    const char *const *names;
} choice;

static const char *const statuses[] = {"initializing", "running", "paused",
                                       "stopped: speed is not 0..11", "stopped: mode is not 0..1"};
static const char *const commands[] = {"none", "resume", "pause", "clear and restart"};
static const char *const modes[] = {"monitor", "debug"};

static void add_choice(writer *w, const choice *choice, uint64_t value)
{
    if (value < choice->nr)
        add(w, "%s", choice->names[value]);
    else
        add(w, "unknown, expected 0..%zu", choice->nr - 1);
}

static void add_speed(writer *w, uint64_t speed)
{
    if (speed > 11)
        add(w, "unknown, expected 0..11");
    else
        add(w, "groups 1-3 at every %" PRIu64 ". visit, 4-7 at every %" PRIu64 ".", speed + 1,
            speed / 8 + 1);
}

/* ---- units ---- */

/* A run of bits of the availability vector, named name0, name1, ... from `first` on. */
typedef struct unit_run {
    unsigned first;
    unsigned count;
    const char *name;
} unit_run;

static const unit_run units_power9[] = {
    {0, 1, "powerbus"}, {1, 8, "mcs"},    {9, 8, "mba"},     {17, 8, "centaur"}, {25, 3, "xlink"},
    {28, 2, "mcd"},     {30, 6, "phb"},   {36, 1, "nx"},     {37, 2, "capp"},    {39, 1, "vas"},
    {40, 1, "int"},     {41, 4, "alink"}, {45, 6, "nvlink"},
};

/* Of POWER10 only these are known; three bits tell what each of the links is. */
static const unit_run units_power10[] = {{35, 6, "phb"}, {41, 16, "ocmb"}, {57, 1, "nx"}};

#define P10_FIRST_LINK 11u
#define P10_LINKS 8u
#define P10_LINK_BITS 3u

static bool bit(uint64_t units, unsigned nr)
{
    return cs_msb0(units, nr, nr) != 0;
}

static const char *separator(const writer *w)
{
    return w->length > 0 ? " " : "";
}

static void add_unit(writer *w, const unit_run *runs, size_t nr_runs, unsigned nr)
{
    for (size_t i = 0; i < nr_runs; i++)
        if (nr >= runs[i].first && nr - runs[i].first < runs[i].count) {
            add(w, "%s%s", separator(w), runs[i].name);
            if (runs[i].count > 1)
                add(w, "%u", nr - runs[i].first);
            return;
        }
    add(w, "%sbit%u", separator(w), nr);
}

static void add_links(writer *w, uint64_t units)
{
    static const char *const names[1u << P10_LINK_BITS] = {
        [5] = "xlink", [6] = "alink", [7] = "otl"};

    for (unsigned link = 0; link < P10_LINKS; link++) {
        const unsigned first = P10_FIRST_LINK + P10_LINK_BITS * link;
        const uint64_t code = cs_msb0(units, first, first + P10_LINK_BITS - 1);

        if (names[code] != NULL)
            add(w, "%s%s%u", separator(w), names[code], link);
        else if (code != 0)
            add(w, "%slink%u=%" PRIu64, separator(w), link, code);
    }
}

static void add_units(writer *w, uint64_t units, bool power10)
{
    const unit_run *runs = power10 ? units_power10 : units_power9;
    const size_t nr_runs = power10 ? sizeof units_power10 / sizeof units_power10[0]
                                   : sizeof units_power9 / sizeof units_power9[0];

    for (unsigned nr = 0; nr < 64; nr++) {
        if (power10 && nr == P10_FIRST_LINK) {
            add_links(w, units);
            nr += P10_LINKS * P10_LINK_BITS;
        }
        if (bit(units, nr))
            add_unit(w, runs, nr_runs, nr);
    }
    if (units == 0)
        add(w, "none: the default is used");
}

/* ---- words in words ---- */

enum { STATUS, COMMAND, SPEED, UNITS, MODE, MODE_STATE };

#define CHOICE(list)                                                                               \
    {                                                                                              \
        sizeof(list) / sizeof(list)[0], list                                                       \
    }

static const struct word {
    const char *name;
    choice choice; /* of no names: a number of another kind */
} words[CS_IMC_CONTROL_WORDS] = {
    [STATUS] = {"status", CHOICE(statuses)}, [COMMAND] = {"command", CHOICE(commands)},
    [SPEED] = {"speed", {0, NULL}},          [UNITS] = {"units", {0, NULL}},
    [MODE] = {"mode", CHOICE(modes)},        [MODE_STATE] = {"mode state", CHOICE(modes)},
};

uint64_t cs_imc_control_word(const cs_imc_control *control, size_t nr)
{
    const uint64_t values[CS_IMC_CONTROL_WORDS] = {control->status, control->command,
                                                   control->speed,  control->units,
                                                   control->mode,   control->mode_state};

    return nr < CS_IMC_CONTROL_WORDS ? values[nr] : 0;
}

const char *cs_imc_control_name(size_t nr)
{
    return nr < CS_IMC_CONTROL_WORDS ? words[nr].name : NULL;
}

const char *cs_imc_control_meaning(const cs_imc_control *control, size_t nr, bool power10,
                                   char buffer[CS_IMC_MEANING_BYTES])
{
    writer w = {buffer, 0};

    buffer[0] = '\0';
    if (nr >= CS_IMC_CONTROL_WORDS)
        return buffer;
    if (nr == SPEED)
        add_speed(&w, control->speed);
    else if (nr == UNITS)
        add_units(&w, control->units, power10);
    else
        add_choice(&w, &words[nr].choice, cs_imc_control_word(control, nr));
    return buffer;
}
