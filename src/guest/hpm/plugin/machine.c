// SPDX-License-Identifier: Apache-2.0
#include "guest/hpm/plugin/machine.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LCOFI (UINT64_C(1) << 13)
#define CDE (UINT64_C(1) << 60) /* of menvcfg: counters are delegated */
#define CSRS 4096u
#define ENV_BYTES 32768u /* of a hart's state in which mie is looked for; it has more */
#define CPUS 8u

/* Answers of QEMU's functions. */
#define DONE (-1)
#define ILLEGAL 2
#define VIRTUAL 22

enum {
    MIE = 0x304,
    MIP = 0x344,
    MIDELEG = 0x303,
    SIE = 0x104,
    SIP = 0x144,
    MCOUNTEREN = 0x306,
    SCOUNTEREN = 0x106,
    HCOUNTEREN = 0x606,
    MCOUNTINHIBIT = 0x320,
    MHPMEVENT = 0x320,
    MCYCLE = 0xb00,
    CYCLE = 0xc00,
    MENVCFG = 0x30a,
    SCOUNTINHIBIT = 0x120,
    SISELECT = 0x150,
    SIREG = 0x151,
    MCYCLECFG = 0x321,
    MINSTRETCFG = 0x322,
    SCOUNTOVF = 0xda0
};

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

extern void riscv_set_csr_ops(int csr, csr_functions *functions) __attribute__((weak));
extern void riscv_get_csr_ops(int csr, csr_functions *functions) __attribute__((weak));
extern uint64_t riscv_cpu_update_mip(void *env, uint64_t mask, uint64_t value)
    __attribute__((weak));
extern void *qemu_get_cpu(int index) __attribute__((weak));
/* Its data are a union of numbers and a pointer. */
extern void async_run_on_cpu(void *cpu, void (*work)(void *cpu, void *data), void *data)
    __attribute__((weak));
extern void cpu_loop_exit_restore(void *cpu, uintptr_t code) __attribute__((weak));

static struct {
    machine_access *access;
    csr_functions before[CSRS]; /* of those that are taken */
    bool taken[CSRS];
    void *envs[CPUS];
    size_t mie_at; /* in a hart's state; 0: not known yet */
    FILE *log;
} g;

/* ---- a hart's state ---- */

/* It is part of the CPU's structure. */
static unsigned cpu_of(const void *env)
{
    const char *best = NULL;
    unsigned found = 0;

    for (unsigned i = 0; i < CPUS; i++) {
        const char *cpu = qemu_get_cpu((int)i);

        if (cpu != NULL && cpu < (const char *)env && (best == NULL || cpu > best)) {
            best = cpu;
            found = i;
        }
    }
    return found;
}

/* The word of it that follows what is written to mie. */
static void find_mie(void *env)
{
    static const uint64_t patterns[] = {UINT64_C(0x2a2), UINT64_C(0x088), UINT64_C(0x20a)};
    static uint8_t same[ENV_BYTES];
    const uint64_t *words = env;
    uint64_t old = 0;
    unsigned found = 0;

    g.before[MIE].op(env, MIE, &old, 0, 0);
    memset(same, 1, sizeof same);
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        uint64_t now = 0;

        g.before[MIE].op(env, MIE, NULL, patterns[p], ~UINT64_C(0));
        g.before[MIE].op(env, MIE, &now, 0, 0);
        for (size_t i = 0; i < ENV_BYTES / sizeof *words; i++)
            same[i] = same[i] && words[i] == now && now != 0;
    }
    g.before[MIE].op(env, MIE, NULL, old, ~UINT64_C(0));
    for (size_t i = 0; i < ENV_BYTES / sizeof *words; i++)
        if (same[i]) {
            g.mie_at = i * sizeof *words;
            found++;
        }
    if (found != 1) {
        g.mie_at = 0;
        fprintf(g.log, "X this QEMU is another: mie is in %u places of a hart\n", found);
    }
}

static void know(void *env)
{
    const unsigned cpu = cpu_of(env);

    if (g.envs[cpu] != NULL)
        return;
    g.envs[cpu] = env;
    if (g.mie_at == 0)
        find_mie(env);
}

void machine_set_lcofi(unsigned cpu, bool pending, bool enabled)
{
    uint8_t *env = g.envs[cpu];

    if (env == NULL || g.mie_at == 0)
        return;
    uint64_t *mie = (uint64_t *)(void *)(env + g.mie_at);

    *mie = enabled ? *mie | LCOFI : *mie & ~LCOFI;
    riscv_cpu_update_mip(env, LCOFI, pending ? LCOFI : 0);
}

void machine_soon(unsigned cpu, void (*work)(void *cpu, void *data))
{
    async_run_on_cpu(qemu_get_cpu((int)cpu), work, (void *)(uintptr_t)cpu);
}

void machine_leave(unsigned cpu, void *caller)
{
    cpu_loop_exit_restore(qemu_get_cpu((int)cpu), (uintptr_t)caller);
    abort();
}

/* ---- CSRs ---- */

static cs_hpm_access access_of(int csr, uint64_t value, uint64_t mask)
{
    cs_hpm_access access = {.csr = (uint16_t)csr, .value = value};

    if (mask == 0)
        access.op = CS_HPM_OP_READ;
    else if (mask == ~UINT64_C(0))
        access.op = CS_HPM_OP_WRITE;
    else {
        access.op = (value & mask) == 0 ? CS_HPM_OP_CLEAR : CS_HPM_OP_SET;
        access.value = mask;
    }
    return access;
}

static int answer(const cs_hpm_result *result)
{
    return result->exception == CS_HPM_EXCEPTION_NONE      ? DONE
           : result->exception == CS_HPM_EXCEPTION_ILLEGAL ? ILLEGAL
                                                           : VIRTUAL;
}

static int on_counter(void *env, int csr, uint64_t *old, uint64_t value, uint64_t mask)
{
    const cs_hpm_access access = access_of(csr, value, mask);

    know(env);
    const cs_hpm_result result = g.access(cpu_of(env), &access);

    if (old != NULL)
        *old = result.value;
    /* It also says who may read the clock, which is QEMU's. */
    if (mask != 0 && (csr == MCOUNTEREN || csr == SCOUNTEREN || csr == HCOUNTEREN) &&
        g.before[csr].write != NULL)
        g.before[csr].write(env, csr, (result.value & ~mask) | (value & mask));
    return answer(&result);
}

/* QEMU's own, but for bit 13. */
static int on_interrupts(void *env, int csr, uint64_t *old, uint64_t value, uint64_t mask)
{
    const cs_hpm_access access = access_of(csr, value, mask);

    know(env);
    const int done = g.before[csr].op(env, csr, old, value, mask);
    if (done != DONE)
        return done;

    const cs_hpm_result result = g.access(cpu_of(env), &access);
    if (old != NULL)
        *old = (*old & ~LCOFI) | (result.value & LCOFI);
    return DONE;
}

/* QEMU's own, but for CDE, which it has not. */
static int on_environment(void *env, int csr, uint64_t *old, uint64_t value, uint64_t mask)
{
    const cs_hpm_access access = access_of(csr, value, mask);
    uint64_t was = 0;

    know(env);
    int done = g.before[csr].read(env, csr, &was);
    if (done == DONE && mask != 0)
        done = g.before[csr].write(env, csr, (was & ~mask) | (value & mask));
    if (done != DONE)
        return done;

    const cs_hpm_result result = g.access(cpu_of(env), &access);
    if (old != NULL)
        *old = (was & ~CDE) | (result.value & CDE);
    return answer(&result);
}

static int is_there(void *env, int csr)
{
    (void)env, (void)csr;
    return DONE;
}

static void take(int csr, int (*op)(void *, int, uint64_t *, uint64_t, uint64_t), bool always)
{
    csr_functions functions;

    riscv_get_csr_ops(csr, &functions);
    g.before[csr] = functions;
    g.taken[csr] = true;
    functions.op = op;
    if (always) /* the counters say who may */
        functions.predicate = is_there;
    riscv_set_csr_ops(csr, &functions);
}

bool machine_takes(unsigned csr)
{
    return csr < CSRS && g.taken[csr];
}

/* Smcdeleg and Ssccfg, with the Sscsrind that they need. */
static void take_delegated(void)
{
    static const int registers[] = {0, 1, 2, 4, 5, 6};

    take(MENVCFG, on_environment, false);
    take(SCOUNTINHIBIT, on_counter, true);
    take(SISELECT, on_counter, true);
    for (size_t i = 0; i < sizeof registers / sizeof registers[0]; i++)
        take(SIREG + registers[i], on_counter, true);
}

bool machine_take_csrs(machine_access *access, const cs_hpm_config *config, FILE *log)
{
    static const int interrupts[] = {MIDELEG, MIE, MIP, SIE, SIP};

    g.access = access;
    g.log = log;
    if (riscv_get_csr_ops == NULL || riscv_set_csr_ops == NULL || riscv_cpu_update_mip == NULL ||
        qemu_get_cpu == NULL || async_run_on_cpu == NULL || cpu_loop_exit_restore == NULL) {
        fprintf(log, "X this QEMU does not show its functions\n");
        return false;
    }
    for (size_t i = 0; i < sizeof interrupts / sizeof interrupts[0]; i++) {
        take(interrupts[i], on_interrupts, false);
        if (g.before[interrupts[i]].op == NULL || g.before[interrupts[i]].name == NULL) {
            fprintf(log, "X this QEMU is another: CSR 0x%x\n", (unsigned)interrupts[i]);
            return false;
        }
    }
    take(MCOUNTEREN, on_counter, true);
    take(SCOUNTEREN, on_counter, true);
    take(SCOUNTOVF, on_counter, true);
    take(MCOUNTINHIBIT, on_counter, true);
    if (config->smcdeleg)
        take_delegated();
    if (config->modes == CS_HPM_MODES_H)
        take(HCOUNTEREN, on_counter, true);
    take(MCYCLECFG, on_counter, true);
    take(MINSTRETCFG, on_counter, true);
    for (int n = 0; n < 32; n++) {
        if (n == 1)
            continue;
        if (n >= 3)
            take(MHPMEVENT + n, on_counter, true);
        take(MCYCLE + n, on_counter, true);
        take(CYCLE + n, on_counter, true);
    }
    return true;
}
