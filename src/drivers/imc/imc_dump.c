// SPDX-License-Identifier: Apache-2.0
/* Trace mode: what is in a CPU's buffer becomes samples. */
#include "drivers/imc/imc_driver_impl.h"

#include "base/bus/big.h"
#include "drivers/told.h"

#define RECORD_BYTES 64u
#define RECORDS_A_READ (CS_BUS_MAX_BYTES / RECORD_BYTES)

/* What is valid is delivered, when the CPU has done its work for it. */
static bool take_record(cs_imc_driver *d, unsigned number, unsigned cpu, const uint8_t *record,
                        unsigned before, uint64_t *previous)
{
    const uint64_t tb1 = cs_big_get64(record), ip = cs_big_get64(record + 8);
    cs_context current;

    d->report.scanned++;
    if (!cs_imc_takes_record(tb1, cs_big_get64(record + 56), previous))
        return false;
    /* Who ran there before the software came, which is what the kernel calls current. */
    d->events[cpu].context(d->events[cpu].ctx, d->at->entered - 1, &current);
    const cs_imc_perf_sample sample = {
        .command = number,
        .cpu = cpu,
        .time = d->now + (before + 1) * (cs_cycle)d->config.spec->record_cycles,
        .ip = ip,
        .timebase = tb1,
        .pid = current.cid1,
        .misc = cs_imc_record_misc(d->config.imc->power10, ip, cs_big_get64(record + 16)),
        .period = d->commands[number].spec->freq != 0 ? 1 : d->commands[number].spec->sample_period,
    };
    d->report.samples++;
    cs_tell_imc_sample(d->config.soft, d->now, cpu, &sample);
    cs_tell_sampled(d->config.soft, d->now, cpu, NULL);
    return true;
}

void cs_imc_dump(cs_imc_driver *d, unsigned number, unsigned cpu)
{
    const uint64_t buffer = cs_imc_trace_buffer(&d->config.memory, cpu);
    const imc_command *c = &d->commands[number];
    const unsigned records = (c->unit != NULL ? c->unit->size : CS_IMC_TRACE_BYTES) / RECORD_BYTES;
    uint64_t previous = 0;
    unsigned first = 0, taken;
    cs_cycle began = d->now;

    d->report.dumps++;
    do {
        const cs_op_result *read =
            cs_imc_perform(d, (cs_op){.kind = CS_OP_READ_BURST,
                                      .addr = buffer + (uint64_t)first * RECORD_BYTES,
                                      .beats = CS_BUS_MAX_BEATS});

        if (first == 0)
            began = d->at->began;
        taken = 0;
        while (read->resp == CS_BUS_OKAY && taken < RECORDS_A_READ && first + taken < records &&
               take_record(d, number, cpu, read->data + (size_t)taken * RECORD_BYTES, taken,
                           &previous))
            taken++;
        cs_imc_work(d, (uint64_t)taken * d->config.spec->record_cycles);
        first += RECORDS_A_READ;
    } while (taken == RECORDS_A_READ && first < records);
    cs_imc_write_word(d, buffer, 0);
    d->report.dump_cycles += d->now - began;
}
