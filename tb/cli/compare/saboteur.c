// SPDX-License-Identifier: Apache-2.0
/* To be loaded before the command (LD_PRELOAD): RTL with a fault. CS_SABOTAGE="PIN BIT FROM TO" inverts a
 * bit of one of the die's outputs from cycle FROM to before cycle TO, as all that look at it see it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die_abi.h"

static const cs_die_plugin_abi *real;
static cs_die_plugin_abi wrapped;
static char pin_name[64];
static unsigned bit;
static unsigned long from, to;
static unsigned long rises; /* of the clock */
static unsigned char *byte; /* of the pin */
static unsigned char *clock_byte;
static int clock_was;
static int inverted;

/* Before that of cycle 0 are two of the reset. */
static unsigned long cycle(void)
{
    return rises < 3 ? ~0ul : rises - 3;
}

static void invert(void)
{
    *byte ^= (unsigned char)(1u << bit % 8);
    inverted = !inverted;
}

static void *create(void)
{
    void *die = real->create();

    for (const cs_die_pin *pin = real->pins(die); pin->name != NULL; pin++)
        if (strcmp(pin->name, pin_name) == 0)
            byte = (unsigned char *)pin->bits + bit / 8;
        else if (strcmp(pin->name, "clk_i") == 0)
            clock_byte = pin->bits;
    return die;
}

static void eval(void *die)
{
    if (inverted)
        invert();
    rises += !clock_was && *clock_byte & 1;
    clock_was = *clock_byte & 1;
    real->eval(die);
    if (byte != NULL && cycle() >= from && cycle() < to)
        invert();
}

void *dlsym(void *handle, const char *name)
{
    void *(*next)(void *, const char *) =
        (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    void *found = next(handle, name);
    const char *fault = getenv("CS_SABOTAGE");

    if (strcmp(name, CS_DIE_SYMBOL) != 0 || found == NULL || fault == NULL ||
        sscanf(fault, "%63s %u %lu %lu", pin_name, &bit, &from, &to) != 4)
        return found;
    real = found;
    wrapped = *real;
    wrapped.create = create;
    wrapped.eval = eval;
    return &wrapped;
}
