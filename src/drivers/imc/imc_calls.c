/* What the driver does to the die: OPAL calls, LDBAR, boot, and what is given back after
 * a deep stop. */
#include "drivers/imc/imc_driver_impl.h"

#include "base/bus/big.h"
#include "base/numbers.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"

#define LDBAR_SPR 850u
#define LDBAR_ENABLE 0x8000000000000000u
#define LDBAR_TRACE 0x4000000000000000u

const cs_op_note cs_imc_nobody = {NOTE_NONE, 0, 0, 0};

/* ---- operations ---- */

void cs_imc_order(cs_imc_driver *d, cs_op op, cs_op_note note)
{
    cs_op_queue_add(&d->queue, &op, note);
}

void cs_imc_work(cs_imc_driver *d, uint64_t cycles)
{
    cs_imc_order(d, (cs_op){.kind = CS_OP_DELAY, .cycles = cycles}, cs_imc_nobody);
}

void cs_imc_enter(cs_imc_driver *d, unsigned cpu)
{
    cs_imc_order(d, (cs_op){.kind = CS_OP_ENTER, .core = (uint16_t)(1 + cpu)}, cs_imc_nobody);
}

void cs_imc_leave(cs_imc_driver *d, unsigned cpu)
{
    cs_imc_order(d, (cs_op){.kind = CS_OP_LEAVE, .core = (uint16_t)(1 + cpu)}, cs_imc_nobody);
}

uint64_t cs_imc_as_bus(uint64_t value)
{
    uint8_t bytes[8];
    uint64_t out = 0;

    cs_big_put64(bytes, value);
    for (unsigned i = 8; i-- > 0;)
        out = out << 8 | bytes[i];
    return out;
}

void cs_imc_write_word(cs_imc_driver *d, uint64_t addr, uint64_t value, cs_op_note note)
{
    cs_imc_order(d, (cs_op){.kind = CS_OP_WRITE, .addr = addr, .value = value, .size = 8}, note);
}

static void carry_out(cs_imc_driver *d, const cs_opal_answer *answer, cs_op_note note)
{
    cs_imc_work(d, d->config.spec->opal_cycles);
    for (unsigned i = 0; i < answer->nr_writes; i++) {
        const cs_opal_write *w = &answer->writes[i];

        cs_imc_write_word(d, w->addr, w->memory ? cs_imc_as_bus(w->value) : w->value, note);
    }
}

/* The firmware's PIR of a CPU: four threads a core. */
static uint32_t pir_of(unsigned core)
{
    return core << 2;
}

static void call_opal(cs_imc_driver *d, cs_opal_token token, cs_opal_type type, uint64_t addr,
                      unsigned core)
{
    const cs_opal_answer answer = cs_opal_call(&d->opal, token, type, addr, pir_of(core));

    d->report.opal_calls++;
    d->report.opal_errors += answer.status != CS_OPAL_SUCCESS;
    carry_out(d, &answer, (cs_op_note){NOTE_OPAL, (unsigned)d->report.opal_calls, 0, 0});
}

static void write_ldbar(cs_imc_driver *d, unsigned cpu, uint64_t value)
{
    const uint64_t thread =
        (uint64_t)CS_IMC_THREADS * cs_imc_core_of(d, cpu) + cs_imc_thread_of(d, cpu);

    d->ldbar[cpu] = value;
    cs_imc_write_word(d, CS_SPR_BASE + 0x2000 * thread + 8 * LDBAR_SPR, value, cs_imc_nobody);
}

/* ---- the kernel: add, del ---- */

static void start_core(cs_imc_driver *d, unsigned core)
{
    if (d->core_references[core]++ == 0)
        call_opal(d, CS_OPAL_IMC_START, CS_OPAL_CORE, 0, core);
}

static void stop_core(cs_imc_driver *d, unsigned core)
{
    if (--d->core_references[core] == 0)
        call_opal(d, CS_OPAL_IMC_STOP, CS_OPAL_CORE, 0, core);
}

void cs_imc_add_event(cs_imc_driver *d, const imc_command *c, unsigned cpu)
{
    const unsigned core = cs_imc_core_of(d, cpu);

    switch (c->spec->pmu) {
    case CS_PERF_NEST:
        if (d->nest_references++ == 0)
            call_opal(d, CS_OPAL_IMC_START, CS_OPAL_NEST, 0, 0);
        break;
    case CS_PERF_CORE:
        start_core(d, core);
        break;
    case CS_PERF_THREAD:
        write_ldbar(d, cpu,
                    (cs_imc_thread_memory(&d->config.memory, cpu) & CS_IMC_ADDRESS_MASK) |
                        LDBAR_ENABLE);
        start_core(d, core);
        break;
    case CS_PERF_TRACE:
        write_ldbar(d, cpu,
                    (cs_imc_trace_buffer(&d->config.memory, cpu) & CS_IMC_ADDRESS_MASK) |
                        LDBAR_TRACE);
        if (d->trace_references[core]++ == 0)
            call_opal(d, CS_OPAL_IMC_START, CS_OPAL_TRACE, 0, core);
        break;
    }
}

void cs_imc_delete_event(cs_imc_driver *d, const imc_command *c, unsigned cpu)
{
    const unsigned core = cs_imc_core_of(d, cpu);

    switch (c->spec->pmu) {
    case CS_PERF_NEST:
        if (--d->nest_references == 0)
            call_opal(d, CS_OPAL_IMC_STOP, CS_OPAL_NEST, 0, 0);
        break;
    case CS_PERF_CORE:
        stop_core(d, core);
        break;
    case CS_PERF_THREAD:
        stop_core(d, core);
        write_ldbar(d, cpu, d->ldbar[cpu] & ~LDBAR_ENABLE);
        break;
    case CS_PERF_TRACE: /* LDBAR stays as it is */
        if (--d->trace_references[core] == 0)
            call_opal(d, CS_OPAL_IMC_STOP, CS_OPAL_TRACE, 0, core);
        break;
    }
}

/* ---- boot, and waking ---- */

void cs_imc_boot(cs_imc_driver *d)
{
    const unsigned first = d->config.memory.first_cpu, end = cs_imc_end_cpu(&d->config.memory);
    const unsigned named = d->config.tool_cpu;
    const unsigned cpu = named >= first && named < end ? named : first;
    const bool trace = cs_imc_catalog_pmu(d->config.catalog, "trace_imc") != NULL;

    cs_imc_enter(d, cpu);
    if (d->config.nest) { /* skiboot, and again the kernel with its first CPU */
        call_opal(d, CS_OPAL_IMC_STOP, CS_OPAL_NEST, 0, 0);
        call_opal(d, CS_OPAL_IMC_STOP, CS_OPAL_NEST, 0, 0);
    }
    for (unsigned core = 0; core < d->config.imc->cores; core++)
        call_opal(d, CS_OPAL_IMC_INIT, CS_OPAL_CORE, cs_imc_core_memory(&d->config.memory, core),
                  core);
    for (unsigned i = first; i < end; i++)
        write_ldbar(d, i, 0);
    for (unsigned core = 0; core < d->config.imc->cores && trace; core++)
        call_opal(d, CS_OPAL_IMC_INIT, CS_OPAL_TRACE, 0, core);
    cs_imc_leave(d, cpu);
    d->booted = true;
}

cycle_t cs_imc_wakes(const cs_imc_driver *d)
{
    if (d->woken == d->config.imc->nr_deep_stops)
        return CS_NEVER;
    const cs_deep_stop_spec *stop = d->by_end[d->woken];
    return cs_imc_us(d, stop->at_us + stop->for_us) + 1;
}

void cs_imc_wake(cs_imc_driver *d)
{
    const unsigned core = d->by_end[d->woken++]->core;

    if (d->config.spec->restore == CS_RESTORE_NONE)
        return;
    const cs_opal_answer answer = cs_opal_wake(&d->opal, core);
    carry_out(d, &answer, cs_imc_nobody);
    for (unsigned thread = 0; thread < d->config.imc->threads; thread++) {
        const unsigned cpu = cs_imc_cpu_of(d, core, thread);

        if (d->config.spec->restore == CS_RESTORE_ALL && d->ldbar[cpu] != 0)
            write_ldbar(d, cpu, d->ldbar[cpu]);
    }
}
