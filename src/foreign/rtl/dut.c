// SPDX-License-Identifier: Apache-2.0
#include "foreign/rtl/dut.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "die_abi.h"
#include "die_waves.h"
#include "foreign/rtl/wrapper.h"

struct cs_foreign_dut {
    void *object;
    const cs_die_plugin_abi *plugin;
    const cs_die_waves_abi *waves; /* NULL: it has none */
    void (*begin)(unsigned seed);
    void *design;
};

cs_status cs_foreign_dut_open(const char *path, cs_foreign_dut **out, cs_diag *diag)
{
    cs_foreign_dut *dut = calloc(1, sizeof *dut);

    *out = NULL;
    if (dut == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a design");
    dut->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    dut->plugin = dut->object != NULL ? dlsym(dut->object, CS_DIE_SYMBOL) : NULL;
    if (dut->object != NULL)
        *(void **)&dut->begin = dlsym(dut->object, CS_FOREIGN_BEGIN);
    if (dut->plugin == NULL || dut->begin == NULL || dut->plugin->version != CS_DIE_ABI) {
        const char *why = dlerror();

        cs_diag_set(diag, CS_ERR_IO, path, "cannot be loaded: %s",
                    why != NULL ? why : "it was made for another version of this program");
        if (dut->object != NULL)
            dlclose(dut->object);
        free(dut);
        return CS_ERR_IO;
    }
    dut->waves = dlsym(dut->object, CS_DIE_WAVES_SYMBOL);
    *out = dut;
    return CS_OK;
}

void cs_foreign_dut_close(cs_foreign_dut *dut)
{
    if (dut == NULL)
        return;
    if (dut->design != NULL)
        dut->plugin->destroy(dut->design);
    dlclose(dut->object);
    free(dut);
}

void cs_foreign_dut_restart(cs_foreign_dut *dut, uint64_t seed)
{
    if (dut->design != NULL)
        dut->plugin->destroy(dut->design);
    dut->begin((unsigned)(cs_hash_mix(seed + CS_HASH_STEP) >> 34) + 1); /* 0 is the time of day */
    dut->design = dut->plugin->create();
}

void *cs_foreign_dut_pin(cs_foreign_dut *dut, const char *name)
{
    for (const cs_die_pin *pin = dut->plugin->pins(dut->design); pin->name != NULL; pin++)
        if (strcmp(pin->name, name) == 0)
            return pin->bits;
    return NULL;
}

void cs_foreign_dut_eval(cs_foreign_dut *dut)
{
    dut->plugin->eval(dut->design);
}

bool cs_foreign_dut_open_waves(cs_foreign_dut *dut, const char *path, cs_die_signal *signals,
                               size_t nr_signals)
{
    return dut->waves != NULL && dut->waves->version == CS_DIE_WAVES &&
           dut->waves->open(dut->design, path, signals, nr_signals);
}

void cs_foreign_dut_dump_waves(cs_foreign_dut *dut, uint64_t time)
{
    dut->waves->dump(dut->design, time);
}

void cs_foreign_dut_close_waves(cs_foreign_dut *dut)
{
    dut->waves->close(dut->design);
}

uint64_t cs_foreign_get(const void *pin, unsigned lsb, unsigned width)
{
    const unsigned char *bytes = pin;
    uint64_t value = 0;

    for (unsigned at = lsb; at < lsb + width;) {
        const unsigned shift = at % 8;
        const unsigned some = lsb + width - at < 8 - shift ? lsb + width - at : 8 - shift;

        value |= (uint64_t)(bytes[at / 8] >> shift & ((1u << some) - 1)) << (at - lsb);
        at += some;
    }
    return value;
}

void cs_foreign_set(void *pin, unsigned lsb, unsigned width, uint64_t value)
{
    unsigned char *bytes = pin;

    for (unsigned at = lsb; at < lsb + width;) {
        const unsigned shift = at % 8;
        const unsigned some = lsb + width - at < 8 - shift ? lsb + width - at : 8 - shift;
        const unsigned mask = ((1u << some) - 1) << shift;
        const unsigned bits = (unsigned)(value >> (at - lsb)) << shift & mask;

        bytes[at / 8] = (unsigned char)((bytes[at / 8] & ~mask) | bits);
        at += some;
    }
}
