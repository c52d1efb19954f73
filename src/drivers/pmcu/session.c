// SPDX-License-Identifier: Apache-2.0
/* A session, from the claim of the counters to the end of perf. */
#include "drivers/pmcu/driver_impl.h"
#include <countersink/regs/pmcu_regs.h>
#include <inttypes.h>

#define PMCR_VALUE 0xC1u /* E, LC, LP: enabled, long counters */
#define PMCCFILTR_SHIFT 24u
#define ERROR_BITS 0x3f00u /* of FSM_STATUS */
#define KIB 1024u
#define BOTH_INTERRUPTS (CS_PMCU_INT_STAT_DONE_MASK | CS_PMCU_INT_STAT_BRK_MASK)

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

void cs_pmcu_in_handler(cs_pmcu_driver *d, bool is)
{
    d->handler_on = is && cs_pmcu_has_quirk(d, CS_PMCU_QUIRK_AFFINITY_UNSET) ? 1 : d->home;
}

/* ---- 1. who else uses the counters is asked (docs/drivers/two_owners.md) ---- */

static bool claim_counters(cs_pmcu_driver *d)
{
    const cs_pmcu_owner *owner = &d->config.owner;

    cs_routine_sleep_until(&d->routine, d->config.start_at_cycle);
    if (owner->claim == NULL)
        return true;
    cs_pmcu_claim answer;
    while ((answer = owner->claim(owner->ctx, d->routine.now)) == CS_PMCU_CLAIM_WAIT)
        cs_routine_sleep_until(&d->routine, d->routine.now + d->config.claim_cycles);
    return answer == CS_PMCU_CLAIM_GRANTED;
}

static void release_counters(cs_pmcu_driver *d)
{
    if (d->config.owner.claim != NULL)
        d->config.owner.release(d->config.owner.ctx, d->routine.now);
}

/* ---- 2. registers that hold for the session; the events go to memory ---- */

static void set_up(cs_pmcu_driver *d)
{
    const bool comp = d->report.comp && !cs_pmcu_has_quirk(d, CS_PMCU_QUIRK_COMP_UNSET);

    cs_pmcu_write_register(d, CS_PMCU_PMCR, PMCR_VALUE);
    cs_pmcu_write_register(d, CS_PMCU_INT_MSK, 0);
    cs_pmcu_write_register(d, CS_PMCU_INT_EN, BOTH_INTERRUPTS);
    cs_pmcu_write_register(d, CS_PMCU_COMP, comp);
    cs_pmcu_write_register(d, CS_PMCU_PMCCFILTR, (uint32_t)d->config.pmccfiltr << PMCCFILTR_SHIFT);
    cs_pmcu_copy(d, d->config.data_base + CS_PMCU_DRIVER_ARRAY_OFFSET, d->array, d->array_bytes);
}

/* ---- 3. the next trigger ---- */

static void commit_aux(cs_pmcu_driver *d, uint64_t bytes, bool truncated)
{
    const cs_pmcu_aux_stretch stretch = {.die = d->config.die,
                                         .address = cs_aux_area_start(&d->aux),
                                         .bytes = bytes,
                                         .truncated = truncated};

    if (bytes == 0)
        return;
    d->report.truncations += truncated;
    d->report.commits++;
    d->report.committed_bytes += bytes;
    d->perf_left +=
        d->config.perf_wakeup_cycles + (bytes * d->config.perf_kib_cycles + KIB - 1) / KIB;
    cs_tell_pmcu_aux(d->soft, d->routine.now, d->config.cpu, &stretch);
}

/* A buffer without room for a sample goes to perf as a whole, and the next one is taken. */
static cs_pmcu_request next_request(cs_pmcu_driver *d)
{
    cs_aux_area *aux = &d->aux;
    cs_pmcu_request request = cs_pmcu_split(&d->layout, cs_aux_area_room(aux), d->pending);

    if (request.samples == 0 && aux->head > 0) {
        commit_aux(d, aux->buffer_bytes, cs_aux_area_hand_over(aux, d->routine.now));
        d->full_until = cs_aux_area_turn(aux);
        request = cs_pmcu_split(&d->layout, cs_aux_area_room(aux), d->pending);
    }
    return request;
}

/* The event is stopped; perf enables it again when it has read a buffer. False: the user has stopped
 * it before. */
static bool wait_for_reader(cs_pmcu_driver *d)
{
    const cs_cycle stop = d->config.stop_at_cycle, from = d->routine.now;
    const cs_cycle until = stop != 0 && stop < d->full_until ? stop : d->full_until;

    cs_pmcu_leave(d);
    if (until > from)
        cs_routine_sleep_until(&d->routine, d->routine.now + (until - from));
    const cs_pmcu_aux_loss loss = {d->config.die, from, d->routine.now};
    d->report.full_cycles += loss.to - loss.from;
    cs_tell_pmcu_loss(d->soft, loss.to, d->config.cpu, &loss);
    cs_pmcu_in_handler(d, false);
    cs_pmcu_enter(d);
    return d->routine.now >= d->full_until;
}

static void write_address(cs_pmcu_driver *d, uint32_t high, uint32_t low, uint64_t addr)
{
    cs_pmcu_write_register(d, high, (uint32_t)(addr >> 32));
    cs_pmcu_write_register(d, low, (uint32_t)addr);
}

/* INT_STAT.DONE. */
static void clear_done(cs_pmcu_driver *d)
{
    if (!d->clear_is_due)
        return;
    d->clear_is_due = false;
    cs_pmcu_write_register(d, CS_PMCU_INT_CLR, CS_PMCU_INT_CLR_DONE_MASK);
}

static void start_run(cs_pmcu_driver *d, const cs_pmcu_request *request)
{
    cs_pmcu_trigger *t = &d->trigger;

    *t = (cs_pmcu_trigger){
        .die = d->config.die,
        .number = d->report.triggers,
        .samples_asked = request->samples,
        .store_base = cs_aux_area_head(&d->aux),
        .ev_len = request->ev_len,
        .nr_loop = request->nr_loop,
    };
    d->trigger_bytes = request->bytes;
    cs_pmcu_write_register(d, CS_PMCU_FSM_CFG,
                           request->ev_len << CS_PMCU_FSM_CFG_EV_LEN_SHIFT |
                               request->nr_loop << CS_PMCU_FSM_CFG_NR_LOOP_SHIFT |
                               d->layout.nr_pmu << CS_PMCU_FSM_CFG_NR_PMU_SHIFT);
    cs_pmcu_write_register(d, CS_PMCU_WAIT_CNT, d->config.sample_period_ticks);
    write_address(d, CS_PMCU_EVENT_BASE_H, CS_PMCU_EVENT_BASE_L,
                  d->config.data_base + CS_PMCU_DRIVER_ARRAY_OFFSET);
    write_address(d, CS_PMCU_STORE_BASE_H, CS_PMCU_STORE_BASE_L, t->store_base);
    write_address(d, CS_PMCU_KILL_BASE_H, CS_PMCU_KILL_BASE_L, cs_aux_area_end(&d->aux));
    cs_pmcu_write_register(d, CS_PMCU_FSM_CTRL, CS_PMCU_FSM_CTRL_TRIGGER_MASK);

    t->trigger_cycle = d->routine.now - 1;
    if (d->any_done)
        t->gap_cycles = t->trigger_cycle - d->last_done;
    d->report.gap_cycles += t->gap_cycles;
    d->report.triggers++;
    d->running = true;
    clear_done(d);
    cs_pmcu_leave(d);
}

/* Goes on with what is still to be sampled; the CPU is in the driver. */
static cs_pmcu_end next_trigger(cs_pmcu_driver *d)
{
    cs_pmcu_request request = {0};

    for (;;) {
        if (d->pending == 0)
            return CS_PMCU_END_COMPLETE;
        /* Without events the hardware is triggered all the same, with zeros. */
        if (d->layout.nr_event != 0)
            request = next_request(d);
        if (d->full_until <= d->routine.now)
            break;
        if (!wait_for_reader(d))
            return CS_PMCU_END_STOPPED;
    }
    if (d->layout.nr_event != 0 && request.samples == 0)
        return CS_PMCU_END_NO_ROOM;
    start_run(d, &request);
    return CS_PMCU_END_NOT_YET;
}

/* ---- 4. the interrupt ---- */

/* When the user stops perf, or the driver has to go to another CPU. */
static cs_cycle next_stop(const cs_pmcu_driver *d)
{
    const cs_cycle user = d->config.stop_at_cycle != 0 ? d->config.stop_at_cycle : CS_NEVER;
    const cs_cycle move = cs_pmcu_next_move(d);

    return user < move ? user : move;
}

/* perf copies, up to the interrupt (true), or so long. */
static bool perf_works(cs_pmcu_driver *d, uint64_t most)
{
    const cs_cycle since = d->routine.now;

    cs_pmcu_enter(d);
    const bool irq = cs_pmcu_wait_irq(d, most < d->perf_left ? most : d->perf_left);
    const uint64_t spent = d->routine.now - since;
    d->report.perf_cycles += spent;
    d->perf_left -= spent < d->perf_left ? spent : d->perf_left;
    cs_pmcu_leave(d);
    return irq;
}

/* For the interrupt; what time there is, is perf's. False: it is time to stop. */
static bool wait_for_interrupt(cs_pmcu_driver *d)
{
    const cs_cycle stop = next_stop(d);
    bool irq = false;

    while (!irq) {
        const cs_cycle now = d->routine.now;

        if (now >= stop)
            return false;
        if (d->perf_left > 0)
            irq = perf_works(d, stop - now);
        else
            irq = cs_pmcu_wait_irq(d, stop != CS_NEVER ? stop - now : 0);
    }
    d->trigger.done_cycle = d->routine.now - 1;
    d->handler_at = d->routine.now + d->config.irq_latency_cycles;
    if (stop < d->handler_at) {
        if (stop > d->routine.now)
            cs_routine_delay(&d->routine, stop - d->routine.now);
        return false;
    }
    cs_routine_delay(&d->routine, d->config.irq_latency_cycles);
    d->handler_at = CS_NEVER;
    return true;
}

/* What FSM_STATUS says about why a run ended; CS_PMCU_END_NOT_YET when nothing is wrong. */
static cs_pmcu_end end_of(uint32_t status)
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

void cs_pmcu_trigger_ended(cs_pmcu_driver *d, bool complete, uint32_t status)
{
    cs_pmcu_trigger *t = &d->trigger;

    d->running = false;
    d->any_done = true;
    d->last_done = t->done_cycle;
    t->errors = status & ERROR_BITS;
    d->report.errors |= t->errors;
    if (complete && end_of(status) == CS_PMCU_END_NOT_YET) {
        t->samples_done = t->samples_asked;
        d->aux.head += d->trigger_bytes;
        d->pending -= t->samples_asked;
        d->report.samples += t->samples_asked;
    }
    cs_tell_pmcu_trigger(d->soft, t->done_cycle, d->config.cpu, t);
}

/* The handler, which stays on the CPU for the next trigger. False: it has left, as the run goes on. */
static bool handle_interrupt(cs_pmcu_driver *d, uint32_t *status)
{
    cs_pmcu_in_handler(d, true);
    cs_pmcu_enter(d);
    cs_routine_delay(&d->routine, d->config.irq_entry_cycles);
    d->in_handler = true;
    const uint32_t found = cs_pmcu_read_register(d, CS_PMCU_INT_STAT) & BOTH_INTERRUPTS;
    if ((found & CS_PMCU_INT_STAT_DONE_MASK) != 0) {
        *status = cs_pmcu_has_quirk(d, CS_PMCU_QUIRK_STATUS_UNREAD)
                      ? 0
                      : cs_pmcu_read_register(d, CS_PMCU_FSM_STATUS);
        return true;
    }
    d->report.spurious_interrupts += found == 0;
    if (found != 0)
        cs_pmcu_write_register(d, CS_PMCU_INT_CLR, found);
    cs_pmcu_leave(d);
    return false;
}

/* What there is after the end of a run: what is wrong, or more to sample. */
static cs_pmcu_end take_run(cs_pmcu_driver *d, uint32_t status)
{
    cs_pmcu_end end = end_of(status);

    cs_pmcu_trigger_ended(d, true, status);
    d->clear_is_due = true;
    if (end == CS_PMCU_END_NOT_YET && d->layout.nr_event == 0)
        end = CS_PMCU_END_COMPLETE; /* hardware that does not mind zeros */
    if (end == CS_PMCU_END_NOT_YET && !cs_pmcu_has_quirk(d, CS_PMCU_QUIRK_LATE_CLEAR))
        clear_done(d);
    return end;
}

/* The event stops: the user wants it, or it goes on on another CPU. */
static cs_pmcu_end stop_event(cs_pmcu_driver *d)
{
    const cs_cycle user = d->config.stop_at_cycle;
    const bool moves = user == 0 || d->routine.now < user;
    const bool answered = cs_pmcu_break(d);

    if (!moves)
        return answered ? CS_PMCU_END_STOPPED : CS_PMCU_END_STOP_TIMEOUT;
    d->running = false; /* also where no answer came */
    d->handler_at = CS_NEVER;
    cs_pmcu_leave(d);
    cs_pmcu_move(d);
    cs_pmcu_enter(d);
    return CS_PMCU_END_NOT_YET;
}

/* Up to the end of the run, or of the session. */
static cs_pmcu_end wait_for_run(cs_pmcu_driver *d)
{
    uint32_t status;

    while (wait_for_interrupt(d))
        if (handle_interrupt(d, &status))
            return take_run(d, status);
    return stop_event(d);
}

static cs_pmcu_end run_session(cs_pmcu_driver *d)
{
    cs_pmcu_end end;

    set_up(d);
    if (d->header_bytes > d->aux.buffer_bytes)
        return CS_PMCU_END_NO_ROOM;
    cs_pmcu_copy(d, cs_aux_area_head(&d->aux), d->header, d->header_bytes);
    d->aux.head = d->header_bytes;
    do
        end = next_trigger(d);
    while (end == CS_PMCU_END_NOT_YET && (end = wait_for_run(d)) == CS_PMCU_END_NOT_YET);
    return end;
}

/* ---- 5. the end ---- */

/* Hands over what is in the current AUX buffer. */
static void finish_session(cs_pmcu_driver *d, cs_pmcu_end end)
{
    d->report.end = end;
    commit_aux(d, d->aux.head, false);
    clear_done(d);
    if (!cs_pmcu_has_quirk(d, CS_PMCU_QUIRK_STAYS_ENABLED))
        cs_pmcu_write_register(d, CS_PMCU_INT_EN, 0);
    cs_pmcu_leave(d);
    release_counters(d);
}

/* perf ends when it has copied all. */
static void perf_ends(cs_pmcu_driver *d)
{
    while (d->perf_left > 0) {
        uint64_t most = d->perf_left;

        cs_pmcu_move(d);
        if (cs_pmcu_next_move(d) - d->routine.now < most)
            most = cs_pmcu_next_move(d) - d->routine.now;
        d->report.perf_cycles += most;
        d->perf_left -= most;
        cs_pmcu_enter(d);
        cs_routine_delay(&d->routine, most);
        cs_pmcu_leave(d);
    }
}

void cs_pmcu_run(void *driver)
{
    cs_pmcu_driver *d = driver;

    if (!claim_counters(d)) {
        d->report.end = CS_PMCU_END_BUSY;
        return;
    }
    cs_pmcu_move(d);
    cs_pmcu_enter(d);
    if (setjmp(d->refused) == 0)
        finish_session(d, run_session(d));
    else
        finish_session(d, CS_PMCU_END_BUS_ERROR);
    perf_ends(d);
}
