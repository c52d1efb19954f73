/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/hpm/plugin/registers.h"

#include <string.h>

#include "guest/plugin/glib.h"
#include <qemu-plugin.h>

static const char *const names[REGISTERS] = {
    "zero",   "ra",      "sp",    "gp",   "tp",     "t0",     "t1",      "t2",    "fp",
    "s1",     "a0",      "a1",    "a2",   "a3",     "a4",     "a5",      "a6",    "a7",
    "s2",     "s3",      "s4",    "s5",   "s6",     "s7",     "s8",      "s9",    "s10",
    "s11",    "t3",      "t4",    "t5",   "t6",     "priv",   "sstatus", "stvec", "sepc",
    "scause", "mstatus", "mtvec", "mepc", "mcause", "hstatus"};

static struct qemu_plugin_register *found[REGISTERS];
static GByteArray *bytes;

static struct qemu_plugin_register *find(const GArray *all, const char *name)
{
    for (unsigned i = 0; i < all->len; i++) {
        const qemu_plugin_reg_descriptor *reg =
            (const qemu_plugin_reg_descriptor *)(const void *)all->data + i;

        if (strcmp(reg->name, name) == 0)
            return reg->handle;
    }
    return NULL;
}

bool registers_find(void)
{
    const GArray *all = qemu_plugin_get_registers();
    bool good = true;

    bytes = g_byte_array_new();
    for (unsigned i = 0; i < REGISTERS; i++) {
        found[i] = find(all, names[i]);
        good = good && (found[i] != NULL || i == REGISTERS_HSTATUS);
    }
    return good;
}

bool registers_found(void)
{
    return bytes != NULL;
}

uint64_t registers_read(unsigned number)
{
    uint64_t value = 0;
    int size = 0;

    if (found[number] == NULL)
        return 0;
    g_byte_array_set_size(bytes, 0);
    size = qemu_plugin_read_register(found[number], bytes);
    for (int i = size; i-- > 0;)
        value = value << 8 | bytes->data[i];
    return value;
}
