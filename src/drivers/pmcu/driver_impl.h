// SPDX-License-Identifier: Apache-2.0
/* Internal to the PMCU driver: its state and the parts that its sources share.
 *
 * The driver is a row of stages. A stage orders a few operations (ops.c) and names the stage
 * that follows; that one is called when all of them are done, with the result of the last. */
#ifndef CS_DRIVERS_PMCU_DRIVER_IMPL_H
#define CS_DRIVERS_PMCU_DRIVER_IMPL_H

#include "drivers/pmcu/aux_area.h"
#include "drivers/pmcu/pmcu_driver.h"
#include "formats/pmcu/abi/aux_header.h"

#define MAX_QUEUED_OPS 32u

typedef void (*cs_pmcu_stage)(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);

/* Bytes on their way from the driver to memory. */
typedef struct cs_pmcu_copy {
    const uint8_t *data;
    uint64_t addr;
    size_t left; /* a multiple of 4 */
} cs_pmcu_copy;

/* The stop of the session by the user. */
typedef struct cs_pmcu_stopping {
    cs_cycle since;      /* FSM_BRK is written */
    bool acknowledged;   /* by the interrupt handler */
    uint32_t interrupts; /* bits of INT_STAT that the handler has read */
} cs_pmcu_stopping;

struct cs_pmcu_driver {
    cs_pmcu_driver_config config;
    const cs_soft_sink *soft;
    cs_pmcu_driver_report report;
    cs_pmcu_layout layout;
    uint8_t array[4 * CS_PMCU_DRIVER_MAX_EVENTS];
    size_t array_bytes;
    uint8_t header[CS_PMCU_AUX_MAX_HEADER_BYTES];
    size_t header_bytes;

    cs_pmcu_stage stage;
    cs_op queue[MAX_QUEUED_OPS];
    unsigned queued;
    unsigned taken;
    bool began;
    bool claimed; /* the owner waits for the end */

    cs_pmcu_copy copy;
    cs_aux_area aux;
    cs_cycle full_from;
    cs_cycle full_until; /* all its buffers are full: nothing is triggered before */
    unsigned cpu;        /* that it is on */
    uint16_t home;       /* that as cs_op.core */
    size_t moved;        /* moves that are over */
    bool moving;         /* it stops to go on elsewhere */
    uint16_t handler_on; /* cs_op.core of what runs now: home, or where the handler is */
    uint64_t pending;    /* samples still to be taken, those of the running trigger included */
    bool running;        /* a trigger has not ended */
    bool clear_is_due;   /* CS_PMCU_QUIRK_LATE_CLEAR: INT_STAT.DONE is still set */
    cs_cycle last_done;
    bool any_done;
    cs_pmcu_trigger trigger; /* the running one */
    uint64_t trigger_bytes;
    cs_pmcu_stopping stopping;
    bool in_handler;
    uint64_t perf_left; /* cycles of perf's work; it has the core while it is > 0 */
    cs_cycle perf_since;
    cs_cycle handler_at; /* of an interrupt whose latency is going on; CS_NEVER: none */
};

/* ---- ops.c: what a stage orders ---- */

void cs_pmcu_op_push(cs_pmcu_driver *driver, cs_op op);
static inline bool cs_pmcu_has_quirk(const cs_pmcu_driver *driver, cs_pmcu_quirk quirk)
{
    return (driver->config.quirks & (unsigned)quirk) != 0;
}

void cs_pmcu_op_enter(cs_pmcu_driver *driver);
void cs_pmcu_op_leave(cs_pmcu_driver *driver); /* a handler by its exit */
/* The handler of an interrupt begins. */
void cs_pmcu_op_handler(cs_pmcu_driver *driver);
void cs_pmcu_op_delay(cs_pmcu_driver *driver, uint64_t cycles); /* 0: nothing */
void cs_pmcu_op_wait_irq(cs_pmcu_driver *driver, uint64_t limit);
void cs_pmcu_op_read(cs_pmcu_driver *driver, uint32_t offset);
void cs_pmcu_op_write(cs_pmcu_driver *driver, uint32_t offset, uint32_t value);
/* The next piece of driver->copy: the longest legal burst, or a word. */
void cs_pmcu_op_copy(cs_pmcu_driver *driver);

/* ---- claim.c ---- */

/* Before it: the session's start, and who else uses the counters. */
void cs_pmcu_stage_claim(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);
/* After it. */
void cs_pmcu_release(cs_pmcu_driver *driver, cs_cycle now);

/* ---- session.c: from the first register to the last ---- */

void cs_pmcu_stage_init(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);
/* The running trigger has ended: with its samples, or, after a break, without. */
/* What runs next is the interrupt's handler, or is no handler (cs_pmcu_driver.handler_on). */
void cs_pmcu_in_handler(cs_pmcu_driver *driver, bool is);
void cs_pmcu_trigger_ended(cs_pmcu_driver *driver, cs_cycle done, bool complete, uint32_t status);
/* What FSM_STATUS says about why a run ended; CS_PMCU_END_NOT_YET when nothing is wrong. */
cs_pmcu_end cs_pmcu_end_of(uint32_t status);
/* Hands over what is in the current AUX buffer and ends the software. */
void cs_pmcu_finish(cs_pmcu_driver *driver, cs_cycle now, cs_pmcu_end end);

/* Goes on with what is still to be sampled; the CPU is in the driver. */
void cs_pmcu_stage_trigger(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);

/* ---- migrate.c ---- */

/* When the driver has to go to another CPU; CS_NEVER: it need not. */
cs_cycle cs_pmcu_next_move(const cs_pmcu_driver *driver);
/* It is there in `now`, where that is so. No operation is waiting. */
void cs_pmcu_move(cs_pmcu_driver *driver, cs_cycle now);
/* The event has stopped: it goes on where the driver has to be. */
void cs_pmcu_leave_cpu(cs_pmcu_driver *driver);

/* ---- stop.c ---- */

void cs_pmcu_stage_stop(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);

#endif
