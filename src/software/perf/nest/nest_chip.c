// SPDX-License-Identifier: Apache-2.0
/* A chip's nest: the engine, its memory, and the firmware's two calls. */
#include "software/perf/nest/nest_chip.h"

#include <stdlib.h>

#include "software/perf/imc/imc_memory.h"
#include <countersink/base/numbers.h>
#include <countersink/models/nest/nest.h>

#define STATUS 0x3fc00u
#define COMMAND 0x3fc08u
#define SPEED 0x3fc10u
#define UNITS 0x3fc18u
#define MODE 0x3fc20u
#define RESUME 1u
#define PAUSE 2u
#define FIRMWARE_ERROR (-6) /* OPAL_HARDWARE, which the driver hands on as it is */
#define TICKS_TO_PAUSE 4u   /* that pass before anybody opens an event */

struct cs_perf_nest_chip {
    cs_perf_nest_config config;
    cs_perf_imc_memory memory;
    cs_nest *engine;
    cs_perf_task worker;
    bool begun;
    unsigned nr_events;
};

/* ---- what the nest does ---- */

static uint64_t nest_sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    const cs_event_source *work = &((const cs_perf_nest_chip *)ctx)->config.work;

    return work->sum(work->ctx, CS_EVENT_NEST(event), modes, from, to);
}

static cs_cycle nest_reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    const cs_event_source *work = &((const cs_perf_nest_chip *)ctx)->config.work;

    return work->reach(work->ctx, CS_EVENT_NEST(event), modes, from, n);
}

static void nest_context(void *ctx, cs_cycle cycle, cs_context *out)
{
    (void)ctx;
    (void)cycle;
    *out = (cs_context){0};
}

/* ---- begin and end ---- */

static cs_status chip_init(cs_perf_nest_chip *chip, cs_diag *diag)
{
    const cs_nest_config config = {.tick_cycles = chip->config.tick_cycles,
                                   .unit = CS_UNIT_NEST,
                                   .power10 = chip->config.power10};

    if (!cs_perf_imc_memory_init(&chip->memory, CS_NEST_WINDOW_BYTES))
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a nest");
    const cs_nest_env env = {.bus = cs_perf_imc_memory_port(&chip->memory),
                             .events = {nest_sum, nest_reach, nest_context, chip, NULL}};
    cs_perf_imc_memory_set(&chip->memory, UNITS, chip->config.units);
    cs_perf_imc_memory_set(&chip->memory, SPEED, chip->config.speed);
    cs_perf_imc_memory_set(&chip->memory, MODE, chip->config.mode);
    return cs_nest_create(&config, &env, &chip->engine, diag);
}

cs_status cs_perf_nest_chip_create(const cs_perf_nest_config *config, cs_perf_nest_chip **out,
                                   cs_diag *diag)
{
    cs_perf_nest_chip *chip = calloc(1, sizeof *chip);
    cs_status status;

    *out = NULL;
    if (chip == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a nest");
    chip->config = *config;
    chip->worker.work = config->work;
    status = chip_init(chip, diag);
    if (status != CS_OK) {
        cs_perf_nest_chip_destroy(chip);
        return status;
    }
    *out = chip;
    return CS_OK;
}

void cs_perf_nest_chip_destroy(cs_perf_nest_chip *chip)
{
    if (chip == NULL)
        return;
    cs_nest_destroy(chip->engine);
    cs_perf_imc_memory_free(&chip->memory);
    free(chip);
}

/* ---- time ---- */

cs_perf_task *cs_perf_nest_chip_worker(cs_perf_nest_chip *chip)
{
    return &chip->worker;
}

static void chip_catch_up(cs_perf_nest_chip *chip)
{
    cs_nest_advance(chip->engine, chip->worker.local);
}

/* ---- the firmware ---- */

static int chip_command(cs_perf_nest_chip *chip, uint64_t command)
{
    chip_catch_up(chip);
    if (cs_perf_imc_memory_get(&chip->memory, STATUS) == CS_NEST_STATUS_INIT)
        return FIRMWARE_ERROR;
    cs_perf_imc_memory_set(&chip->memory, COMMAND, command);
    return 0;
}

/* The firmware and the kernel pause the engine when they come up, and it has seen that. */
bool cs_perf_nest_chip_begin(cs_perf_nest_chip *chip)
{
    if (chip->begun)
        return false;
    chip->begun = true;
    chip->worker.local = chip->config.boot_cycles;
    chip_command(chip, PAUSE);
    chip->worker.local += (uint64_t)TICKS_TO_PAUSE * chip->config.tick_cycles;
    return true;
}

int cs_perf_nest_chip_get(cs_perf_nest_chip *chip)
{
    const int error = chip->nr_events == 0 ? chip_command(chip, RESUME) : 0;

    if (error == 0)
        chip->nr_events++;
    return error;
}

void cs_perf_nest_chip_put(cs_perf_nest_chip *chip)
{
    if (--chip->nr_events == 0)
        chip_command(chip, PAUSE);
}

uint64_t cs_perf_nest_chip_read(cs_perf_nest_chip *chip, uint32_t offset)
{
    chip_catch_up(chip);
    return cs_perf_imc_memory_get(&chip->memory, offset);
}
