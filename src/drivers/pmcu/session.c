// SPDX-License-Identifier: Apache-2.0
/* The stages of a session, in the order in which they come. */
#include "drivers/pmcu/driver_impl.h"
#include <countersink/regs/pmcu_regs.h>
#include <inttypes.h>

#define PMCR_VALUE 0xC1u /* E, LC, LP: enabled, long counters */
#define PMCCFILTR_SHIFT 24u
#define ERROR_BITS 0x3f00u /* of FSM_STATUS */
#define KIB 1024u
#define BOTH_INTERRUPTS (CS_PMCU_INT_STAT_DONE_MASK | CS_PMCU_INT_STAT_BRK_MASK)

static void stage_copy_array(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);
static void stage_copy_header(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);
static void stage_triggered(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);
static void stage_wait(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);
static void stage_woken(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);
static void stage_interrupt(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);
static void stage_status(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);
static void stage_end(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);
static void perf_works(cs_pmcu_driver *driver, cs_cycle now, uint64_t most);
static void stage_perf_worked(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);

CS_SOFT_PRINTED(pmcu_aux, cs_pmcu_aux_stretch, "pmcu aux")
{
    fprintf(out, "die %u, address 0x%" PRIx64 ", %" PRIu64 " bytes%s", what->die, what->address,
            what->bytes, what->truncated ? ", truncated" : "");
}

CS_SOFT_PRINTED(pmcu_loss, cs_pmcu_aux_loss, "pmcu aux loss")
{
    fprintf(out, "die %u, from %" PRIu64 " to %" PRIu64, what->die, what->from, what->to);
}

CS_SOFT_PRINTED(pmcu_trigger, cs_pmcu_trigger, "pmcu trigger")
{
    fprintf(out,
            "die %u, trigger %" PRIu64 " in cycle %" PRIu64 ", samples %" PRIu64 " of %" PRIu64
            ", to 0x%" PRIx64 ", EV_LEN %u, NR_LOOP %u, errors 0x%x",
            what->die, what->number, what->trigger_cycle, what->samples_done, what->samples_asked,
            what->store_base, what->ev_len, what->nr_loop, what->errors);
}

void cs_pmcu_in_handler(cs_pmcu_driver *driver, bool is)
{
    driver->handler_on =
        is && cs_pmcu_has_quirk(driver, CS_PMCU_QUIRK_AFFINITY_UNSET) ? 1 : driver->home;
}

/* ---- 1. registers that hold for the session ---- */

void cs_pmcu_stage_init(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    bool comp = driver->report.comp && !cs_pmcu_has_quirk(driver, CS_PMCU_QUIRK_COMP_UNSET);
    uint32_t filter = (uint32_t)driver->config.pmccfiltr << PMCCFILTR_SHIFT;

    (void)last;
    cs_pmcu_move(driver, now);
    cs_pmcu_op_enter(driver);
    cs_pmcu_op_write(driver, CS_PMCU_PMCR, PMCR_VALUE);
    cs_pmcu_op_write(driver, CS_PMCU_INT_MSK, 0);
    cs_pmcu_op_write(driver, CS_PMCU_INT_EN, BOTH_INTERRUPTS);
    cs_pmcu_op_write(driver, CS_PMCU_COMP, comp);
    cs_pmcu_op_write(driver, CS_PMCU_PMCCFILTR, filter);
    driver->copy = (cs_pmcu_copy){.data = driver->array,
                                  .addr = driver->config.data_base + CS_PMCU_DRIVER_ARRAY_OFFSET,
                                  .left = driver->array_bytes};
    driver->stage = stage_copy_array;
}

/* ---- 2. the events and the header go to memory ---- */

static void stage_copy_array(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    (void)now;
    (void)last;
    if (driver->copy.left > 0) {
        cs_pmcu_op_copy(driver);
        return;
    }
    driver->copy = (cs_pmcu_copy){.data = driver->header,
                                  .addr = cs_aux_area_head(&driver->aux),
                                  .left = driver->header_bytes};
    driver->stage = stage_copy_header;
}

static void stage_copy_header(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    (void)last;
    if (driver->header_bytes > driver->aux.buffer_bytes) {
        cs_pmcu_finish(driver, now, CS_PMCU_END_NO_ROOM);
        return;
    }
    if (driver->copy.left > 0) {
        cs_pmcu_op_copy(driver);
        return;
    }
    driver->aux.head = driver->header_bytes;
    driver->stage = cs_pmcu_stage_trigger;
}

/* ---- 3. the next trigger ---- */

static void commit(cs_pmcu_driver *driver, cs_cycle now, uint64_t bytes, bool truncated)
{
    const cs_pmcu_aux_stretch stretch = {.die = driver->config.die,
                                         .address = cs_aux_area_start(&driver->aux),
                                         .bytes = bytes,
                                         .truncated = truncated};

    if (bytes == 0)
        return;
    driver->report.truncations += truncated;
    driver->report.commits++;
    driver->report.committed_bytes += bytes;
    driver->perf_left += driver->config.perf_wakeup_cycles +
                         (bytes * driver->config.perf_kib_cycles + KIB - 1) / KIB;
    cs_tell_pmcu_aux(driver->soft, now, driver->config.cpu, &stretch);
}

/* A buffer without room for a sample goes to perf as a whole, and the next one is taken. */
static cs_pmcu_request next_request(cs_pmcu_driver *driver, cs_cycle now)
{
    cs_aux_area *aux = &driver->aux;
    cs_pmcu_request request =
        cs_pmcu_split(&driver->layout, cs_aux_area_room(aux), driver->pending);

    if (request.samples == 0 && aux->head > 0) {
        commit(driver, now, aux->buffer_bytes, cs_aux_area_hand_over(aux, now));
        driver->full_until = cs_aux_area_turn(aux);
        if (driver->full_until > now)
            return request;
        request = cs_pmcu_split(&driver->layout, cs_aux_area_room(aux), driver->pending);
    }
    return request;
}

static void write_address(cs_pmcu_driver *driver, uint32_t high, uint32_t low, uint64_t addr)
{
    cs_pmcu_op_write(driver, high, (uint32_t)(addr >> 32));
    cs_pmcu_op_write(driver, low, (uint32_t)addr);
}

/* The event is stopped; perf enables it again when it has read a buffer. */
static void stage_read(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    const cs_pmcu_aux_loss loss = {driver->config.die, driver->full_from, now};

    (void)last;
    driver->report.full_cycles += now - driver->full_from;
    cs_tell_pmcu_loss(driver->soft, now, driver->config.cpu, &loss);
    cs_pmcu_in_handler(driver, false);
    cs_pmcu_op_enter(driver);
    driver->stage = cs_pmcu_stage_trigger;
    if (now >= driver->full_until)
        return;
    cs_pmcu_finish(driver, now, CS_PMCU_END_STOPPED);
}

static void wait_for_reader(cs_pmcu_driver *driver, cs_cycle now)
{
    const cs_cycle stop = driver->config.stop_at_cycle;
    const cs_cycle until = stop != 0 && stop < driver->full_until ? stop : driver->full_until;

    driver->full_from = now;
    cs_pmcu_op_leave(driver);
    if (until > now)
        cs_pmcu_op_push(driver, (cs_op){.kind = CS_OP_SLEEP, .cycles = until - now});
    driver->stage = stage_read;
}

void cs_pmcu_stage_trigger(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    const bool no_events = driver->layout.nr_event == 0;
    cs_pmcu_request request = {0};

    (void)last;
    if (driver->pending == 0) {
        cs_pmcu_finish(driver, now, CS_PMCU_END_COMPLETE);
        return;
    }
    /* Without events the hardware is triggered all the same, with zeros. */
    if (!no_events)
        request = next_request(driver, now);
    if (driver->full_until > now) {
        wait_for_reader(driver, now);
        return;
    }
    if (!no_events && request.samples == 0) {
        cs_pmcu_finish(driver, now, CS_PMCU_END_NO_ROOM);
        return;
    }

    driver->trigger = (cs_pmcu_trigger){
        .die = driver->config.die,
        .number = driver->report.triggers,
        .samples_asked = request.samples,
        .store_base = cs_aux_area_head(&driver->aux),
        .ev_len = request.ev_len,
        .nr_loop = request.nr_loop,
    };
    driver->trigger_bytes = request.bytes;
    cs_pmcu_op_write(driver, CS_PMCU_FSM_CFG,
                     request.ev_len << CS_PMCU_FSM_CFG_EV_LEN_SHIFT |
                         request.nr_loop << CS_PMCU_FSM_CFG_NR_LOOP_SHIFT |
                         driver->layout.nr_pmu << CS_PMCU_FSM_CFG_NR_PMU_SHIFT);
    cs_pmcu_op_write(driver, CS_PMCU_WAIT_CNT, driver->config.sample_period_ticks);
    write_address(driver, CS_PMCU_EVENT_BASE_H, CS_PMCU_EVENT_BASE_L,
                  driver->config.data_base + CS_PMCU_DRIVER_ARRAY_OFFSET);
    write_address(driver, CS_PMCU_STORE_BASE_H, CS_PMCU_STORE_BASE_L, driver->trigger.store_base);
    write_address(driver, CS_PMCU_KILL_BASE_H, CS_PMCU_KILL_BASE_L, cs_aux_area_end(&driver->aux));
    cs_pmcu_op_write(driver, CS_PMCU_FSM_CTRL, CS_PMCU_FSM_CTRL_TRIGGER_MASK);
    driver->stage = stage_triggered;
}

static void stage_triggered(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    cs_pmcu_trigger *trigger = &driver->trigger;

    (void)last;
    trigger->trigger_cycle = now - 1;
    if (driver->any_done)
        trigger->gap_cycles = trigger->trigger_cycle - driver->last_done;
    driver->report.gap_cycles += trigger->gap_cycles;
    driver->report.triggers++;
    driver->running = true;
    if (driver->clear_is_due)
        cs_pmcu_op_write(driver, CS_PMCU_INT_CLR, CS_PMCU_INT_CLR_DONE_MASK);
    driver->clear_is_due = false;
    cs_pmcu_op_leave(driver);
    driver->stage = stage_wait;
}

/* ---- 4. the interrupt ---- */

/* When the user stops perf, or the driver has to go to another CPU. */
static cs_cycle next_stop(const cs_pmcu_driver *driver)
{
    const cs_cycle user =
        driver->config.stop_at_cycle != 0 ? driver->config.stop_at_cycle : CS_NEVER;
    const cs_cycle move = cs_pmcu_next_move(driver);

    return user < move ? user : move;
}

static void stage_stop(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    const cs_cycle user = driver->config.stop_at_cycle;

    driver->moving = user == 0 || now < user;
    cs_pmcu_stage_stop(driver, now, last);
}

static void stage_wait(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    const cs_cycle stop = next_stop(driver);

    if (now >= stop) {
        stage_stop(driver, now, last);
        return;
    }
    if (driver->perf_left > 0) {
        perf_works(driver, now, stop != CS_NEVER ? stop - now : driver->perf_left);
        return;
    }
    cs_pmcu_op_wait_irq(driver, stop != CS_NEVER ? stop - now : 0);
    driver->stage = stage_woken;
}

/* perf copies, up to the interrupt, or so long. */
static void perf_works(cs_pmcu_driver *driver, cs_cycle now, uint64_t most)
{
    driver->perf_since = now;
    cs_pmcu_op_enter(driver);
    cs_pmcu_op_wait_irq(driver, most < driver->perf_left ? most : driver->perf_left);
    driver->stage = stage_perf_worked;
}

static void perf_worked(cs_pmcu_driver *driver, cs_cycle now)
{
    const uint64_t spent = now - driver->perf_since;

    driver->report.perf_cycles += spent;
    driver->perf_left -= spent < driver->perf_left ? spent : driver->perf_left;
    cs_pmcu_op_leave(driver);
}

static void stage_perf_worked(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    perf_worked(driver, now);
    if (last->irq)
        stage_woken(driver, now, last);
    else
        stage_wait(driver, now, last);
}

static void stage_woken(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    if (!last->irq) {
        stage_wait(driver, now, last);
        return;
    }
    const cs_cycle stop = next_stop(driver);

    driver->trigger.done_cycle = now - 1;
    driver->handler_at = now + driver->config.irq_latency_cycles;
    if (stop < driver->handler_at) {
        cs_pmcu_op_delay(driver, stop > now ? stop - now : 0);
        driver->stage = stage_stop;
        return;
    }
    cs_pmcu_op_delay(driver, driver->config.irq_latency_cycles);
    driver->handler_at = CS_NEVER;
    cs_pmcu_in_handler(driver, true);
    cs_pmcu_op_handler(driver);
    cs_pmcu_op_read(driver, CS_PMCU_INT_STAT);
    driver->stage = stage_interrupt;
}

static void stage_interrupt(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    uint32_t found = (uint32_t)last->value & BOTH_INTERRUPTS;

    (void)now;
    if ((found & CS_PMCU_INT_STAT_DONE_MASK) != 0 &&
        cs_pmcu_has_quirk(driver, CS_PMCU_QUIRK_STATUS_UNREAD)) {
        stage_status(driver, now, &(cs_op_result){0});
        return;
    }
    if ((found & CS_PMCU_INT_STAT_DONE_MASK) != 0) {
        cs_pmcu_op_read(driver, CS_PMCU_FSM_STATUS);
        driver->stage = stage_status;
        return;
    }
    driver->report.spurious_interrupts += found == 0;
    if (found != 0)
        cs_pmcu_op_write(driver, CS_PMCU_INT_CLR, found);
    cs_pmcu_op_leave(driver);
    driver->stage = stage_wait;
}

cs_pmcu_end cs_pmcu_end_of(uint32_t status)
{
    static const struct reason {
        uint32_t mask;
        cs_pmcu_end end;
    } reasons[] = {
        {CS_PMCU_FSM_STATUS_CFG_ERR_MASK, CS_PMCU_END_CFG_ERR},
        {CS_PMCU_FSM_STATUS_FETCH_ERR_MASK, CS_PMCU_END_FETCH_ERR},
        {CS_PMCU_FSM_STATUS_STORE_ERR_MASK, CS_PMCU_END_STORE_ERR},
        {CS_PMCU_FSM_STATUS_KILL_MASK, CS_PMCU_END_KILL},
    };

    for (unsigned i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if ((status & reasons[i].mask) != 0)
            return reasons[i].end;
    return CS_PMCU_END_NOT_YET;
}

void cs_pmcu_trigger_ended(cs_pmcu_driver *driver, cs_cycle done, bool complete, uint32_t status)
{
    cs_pmcu_trigger *trigger = &driver->trigger;

    driver->running = false;
    driver->any_done = true;
    driver->last_done = done;
    trigger->done_cycle = done;
    trigger->errors = status & ERROR_BITS;
    driver->report.errors |= trigger->errors;
    if (complete && cs_pmcu_end_of(status) == CS_PMCU_END_NOT_YET) {
        trigger->samples_done = trigger->samples_asked;
        driver->aux.head += driver->trigger_bytes;
        driver->pending -= trigger->samples_asked;
        driver->report.samples += trigger->samples_asked;
    }
    cs_tell_pmcu_trigger(driver->soft, done, driver->config.cpu, trigger);
}

static void stage_status(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    uint32_t status = (uint32_t)last->value;
    cs_pmcu_end end = cs_pmcu_end_of(status);

    cs_pmcu_trigger_ended(driver, driver->trigger.done_cycle, true, status);
    driver->clear_is_due = cs_pmcu_has_quirk(driver, CS_PMCU_QUIRK_LATE_CLEAR);
    if (!driver->clear_is_due)
        cs_pmcu_op_write(driver, CS_PMCU_INT_CLR, CS_PMCU_INT_CLR_DONE_MASK);
    if (end == CS_PMCU_END_NOT_YET && driver->layout.nr_event == 0)
        end = CS_PMCU_END_COMPLETE; /* hardware that does not mind zeros */
    if (end != CS_PMCU_END_NOT_YET)
        cs_pmcu_finish(driver, now, end);
    else
        driver->stage = cs_pmcu_stage_trigger;
}

/* ---- 5. the end ---- */

void cs_pmcu_finish(cs_pmcu_driver *driver, cs_cycle now, cs_pmcu_end end)
{
    driver->report.end = end;
    commit(driver, now, driver->aux.head, false);
    if (driver->clear_is_due)
        cs_pmcu_op_write(driver, CS_PMCU_INT_CLR, CS_PMCU_INT_CLR_DONE_MASK);
    if (!cs_pmcu_has_quirk(driver, CS_PMCU_QUIRK_STAYS_ENABLED))
        cs_pmcu_op_write(driver, CS_PMCU_INT_EN, 0);
    cs_pmcu_op_leave(driver);
    driver->stage = stage_end;
}

/* perf ends when it has copied all. */
static void stage_end(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    (void)last;
    cs_pmcu_release(driver, now);
    if (driver->perf_left > 0) {
        uint64_t most = driver->perf_left;

        cs_pmcu_move(driver, now);
        if (cs_pmcu_next_move(driver) - now < most)
            most = cs_pmcu_next_move(driver) - now;
        cs_pmcu_op_enter(driver);
        cs_pmcu_op_delay(driver, most);
        cs_pmcu_op_leave(driver);
        driver->report.perf_cycles += most;
        driver->perf_left -= most;
        return;
    }
    cs_pmcu_op_push(driver, (cs_op){.kind = CS_OP_END});
}
