// SPDX-License-Identifier: Apache-2.0
/* Internal to the PMCU driver: its state and the parts that its sources share. The driver is
 * straight-line code (drivers/routine.h). */
#ifndef CS_DRIVERS_PMCU_DRIVER_IMPL_H
#define CS_DRIVERS_PMCU_DRIVER_IMPL_H

#include <setjmp.h>

#include "drivers/pmcu/aux_area.h"
#include "drivers/pmcu/pmcu_driver.h"
#include "drivers/routine.h"
#include "formats/pmcu/abi/aux_header.h"

struct cs_pmcu_driver {
    cs_pmcu_driver_config config;
    const cs_soft_sink *soft;
    cs_pmcu_driver_report report;
    cs_pmcu_layout layout;
    uint8_t array[4 * CS_PMCU_DRIVER_MAX_EVENTS];
    size_t array_bytes;
    uint8_t header[CS_PMCU_AUX_MAX_HEADER_BYTES];
    size_t header_bytes;

    cs_routine routine;
    jmp_buf refused; /* the bus has refused an access of the session: it goes on there */

    cs_aux_area aux;
    cs_cycle full_until; /* all its buffers are full: nothing is triggered before */
    unsigned cpu;        /* that it is on */
    uint16_t home;       /* that as cs_op.core */
    size_t moved;        /* moves that are over */
    uint16_t handler_on; /* cs_op.core of what runs now: home, or where the handler is */
    uint64_t pending;    /* samples still to be taken, those of the running trigger included */
    bool running;        /* a trigger has not ended */
    bool clear_is_due;   /* INT_STAT.DONE is still set: with CS_PMCU_QUIRK_LATE_CLEAR for long */
    cs_cycle last_done;
    bool any_done;
    cs_pmcu_trigger trigger; /* the running one */
    uint64_t trigger_bytes;
    bool in_handler;
    uint64_t perf_left;  /* cycles of perf's work; it has the core while it is > 0 */
    cs_cycle handler_at; /* of an interrupt whose latency is going on; CS_NEVER: none */
};

static inline bool cs_pmcu_has_quirk(const cs_pmcu_driver *driver, cs_pmcu_quirk quirk)
{
    return (driver->config.quirks & (unsigned)quirk) != 0;
}

/* ---- ops.c ---- */

void cs_pmcu_enter(cs_pmcu_driver *driver);
void cs_pmcu_leave(cs_pmcu_driver *driver); /* a handler by its exit */
/* At most so long; 0: without limit. True: the interrupt is there. */
bool cs_pmcu_wait_irq(cs_pmcu_driver *driver, uint64_t limit);
uint32_t cs_pmcu_read_register(cs_pmcu_driver *driver, uint32_t offset);
void cs_pmcu_write_register(cs_pmcu_driver *driver, uint32_t offset, uint32_t value);
/* In the longest legal bursts; `bytes` is a multiple of 4. */
void cs_pmcu_copy(cs_pmcu_driver *driver, uint64_t addr, const uint8_t *data, size_t bytes);

/* ---- session.c: from the first register to the last ---- */

/* The driver's main function. */
void cs_pmcu_run(void *driver);
/* What runs next is the interrupt's handler, or is no handler (handler_on). */
void cs_pmcu_in_handler(cs_pmcu_driver *driver, bool is);
/* The running trigger has ended: with its samples, or, after a break, without. */
void cs_pmcu_trigger_ended(cs_pmcu_driver *driver, bool complete, uint32_t status);

/* ---- migrate.c ---- */

/* When the driver has to go to another CPU; CS_NEVER: it need not. */
cs_cycle cs_pmcu_next_move(const cs_pmcu_driver *driver);
/* It is there, where that is so. */
void cs_pmcu_move(cs_pmcu_driver *driver);

/* ---- stop.c ---- */

/* Breaks the run. False: the hardware has not answered in time. */
bool cs_pmcu_break(cs_pmcu_driver *driver);

#endif
