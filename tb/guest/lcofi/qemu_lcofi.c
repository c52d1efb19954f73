/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A plugin for QEMU 10.0 that leaves its counters its own, but lets their interrupt come: bit 13 of mie and sie, which
 * it does not let be written, is written, and that of mip and sip read and written. Licensed as qemu-plugin.h, which
 * it includes. Of a machine with one hart. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "guest/plugin/glib.h"
#include <qemu-plugin.h>

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

#define LCOFI (UINT64_C(1) << 13)
#define DONE (-1)
#define WORDS 4096u /* of a hart's state in which mie is looked for; it has more */

enum { SIE = 0x104, SIP = 0x144, MIE = 0x304, MIP = 0x344 };

/* As QEMU 10.0 has it for a CSR. */
typedef struct csr_functions {
    const char *name;
    int (*predicate)(void *env, int csr);
    int (*read)(void *env, int csr, uint64_t *value);
    int (*write)(void *env, int csr, uint64_t value);
    int (*op)(void *env, int csr, uint64_t *old, uint64_t value, uint64_t mask);
    void *read128, *write128;
    uint32_t least_version;
} csr_functions;

extern void riscv_set_csr_ops(int csr, csr_functions *functions);
extern void riscv_get_csr_ops(int csr, csr_functions *functions);
extern uint64_t riscv_cpu_update_mip(void *env, uint64_t mask, uint64_t value);

static csr_functions before[MIP + 1];
static uint64_t *mie;

/* The word of its state that follows what is written to mie. */
static uint64_t *find_mie(void *env)
{
    static const uint64_t patterns[] = {UINT64_C(0x2a2), UINT64_C(0x088), UINT64_C(0x20a)};
    uint64_t *words = env, *found = NULL, old = 0;
    bool same[WORDS];

    memset(same, 1, sizeof same);
    before[MIE].op(env, MIE, &old, 0, 0);
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        before[MIE].op(env, MIE, NULL, patterns[p], ~UINT64_C(0));
        for (size_t i = 0; i < WORDS; i++)
            same[i] = same[i] && words[i] == patterns[p];
    }
    before[MIE].op(env, MIE, NULL, old, ~UINT64_C(0));
    for (size_t i = 0; i < WORDS; i++)
        found = same[i] ? &words[i] : found;
    return found;
}

static int op(void *env, int csr, uint64_t *old, uint64_t value, uint64_t mask)
{
    const bool enables = csr == MIE || csr == SIE;

    if (mie == NULL)
        mie = find_mie(env);
    if (mie == NULL)
        return 2; /* illegal: another QEMU */
    const uint64_t was = (enables ? *mie : riscv_cpu_update_mip(env, 0, 0)) & LCOFI;
    const int done = before[csr].op(env, csr, old, value, mask);

    if (done != DONE)
        return done;
    if (old != NULL)
        *old = (*old & ~LCOFI) | was;
    if ((mask & LCOFI) == 0)
        return DONE;
    if (enables)
        *mie = (*mie & ~LCOFI) | (value & LCOFI);
    riscv_cpu_update_mip(env, enables ? 0 : LCOFI, value & LCOFI);
    return DONE;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                           char **argv)
{
    static const int taken[] = {SIE, SIP, MIE, MIP};

    (void)id, (void)argc, (void)argv;
    if (strcmp(info->target_name, "riscv64") != 0)
        return -1;
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        csr_functions functions;

        riscv_get_csr_ops(taken[i], &functions);
        before[taken[i]] = functions;
        functions.op = op;
        riscv_set_csr_ops(taken[i], &functions);
    }
    return 0;
}
