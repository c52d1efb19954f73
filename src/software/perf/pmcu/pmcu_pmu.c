// SPDX-License-Identifier: Apache-2.0
/* The published driver: one event at a time, which has no count; triggers of the hardware, one after the
 * other, into pieces of the AUX area (docs/drivers/pmcu_driver.md). */
#include "software/perf/pmcu/pmcu_pmu.h"

#include <errno.h>
#include <stdlib.h>

#include "drivers/pmcu/split.h"
#include "software/perf/pmcu/pmcu_die.h"
#include <countersink/base/numbers.h>
#include <countersink/regs/pmcu_regs.h>

#define SAMPLES 128u /* where config says none */
#define MOST_MS 85899u
#define TICKS_OF_MS 50000u
#define TICKS 150000u /* 3 ms, where config says none */
#define FILTER_SHIFT 24u
#define PIECE_MOST (4u << 20)
#define DROPPED                                                                                    \
    (CS_PMCU_FSM_STATUS_CFG_ERR_MASK | CS_PMCU_FSM_STATUS_FETCH_ERR_MASK |                         \
     CS_PMCU_FSM_STATUS_STORE_ERR_MASK | CS_PMCU_FSM_STATUS_KILL_MASK)

typedef struct pmcu_pmu {
    cs_pmu pmu;
    cs_perf_pmcu config;
    cs_perf_pmcu_die die;
    uint64_t pending; /* samples that are still to be taken */
    uint32_t ticks;   /* of each */
    cs_pmcu_layout layout;
    cs_pmcu_request request; /* of the trigger that goes on */
    bool busy;               /* one does */
    bool full;               /* the program has not made room: the event is to be disabled */
    uint64_t piece;          /* the area is used in pieces of so many bytes */
    uint64_t used;           /* of the current one, the header included */
    uint64_t handed;         /* of the current one, to the program */
} pmcu_pmu;

/* ---- the area ---- */

/* Pieces as the kernel's: half of the area, or what the program wants to hear of at once. */
static uint64_t pmcu_piece(const cs_perf_aux_room *aux)
{
    uint64_t piece = CS_PERF_PAGE_BYTES;

    while (2 * piece <= aux->watermark && 2 * piece <= PIECE_MOST)
        piece *= 2;
    return piece < aux->bytes ? piece : aux->bytes;
}

static bool pmcu_find_piece(pmcu_pmu *p)
{
    cs_perf_aux_room aux;

    if (!cs_perf_aux_look(p->die.event, &aux))
        return false;
    p->piece = pmcu_piece(&aux);
    p->handed = aux.head % p->piece;
    p->used = p->handed;
    return aux.free >= p->piece - p->handed;
}

static void pmcu_hand_over(pmcu_pmu *p, uint64_t to, uint64_t flags)
{
    cs_perf_aux_hand_over(p->die.event, to - p->handed, flags);
    p->handed = to;
}

/* ---- a trigger ---- */

/* Where the current piece begins, as a physical address. */
static uint64_t pmcu_piece_at(const pmcu_pmu *p)
{
    cs_perf_aux_room aux = {.bytes = 1};

    cs_perf_aux_look(p->die.event, &aux);
    return CS_PERF_PMCU_AUX_AT + ((aux.head - p->handed) & (aux.bytes - 1));
}

static void pmcu_trigger(pmcu_pmu *p)
{
    cs_perf_pmcu_die *die = &p->die;
    const uint64_t at = pmcu_piece_at(p);

    cs_perf_pmcu_die_write(die, CS_PMCU_FSM_CFG,
                           p->request.ev_len | p->request.nr_loop << CS_PMCU_FSM_CFG_NR_LOOP_SHIFT |
                               p->layout.nr_pmu << CS_PMCU_FSM_CFG_NR_PMU_SHIFT);
    cs_perf_pmcu_die_write(die, CS_PMCU_WAIT_CNT, p->ticks);
    cs_perf_pmcu_die_write_address(die, CS_PMCU_EVENT_BASE_H, CS_PERF_PMCU_EVENTS_AT);
    cs_perf_pmcu_die_write_address(die, CS_PMCU_STORE_BASE_H, at + p->used);
    cs_perf_pmcu_die_write_address(die, CS_PMCU_KILL_BASE_H, at + p->piece);
    p->busy = true;
    cs_perf_pmcu_die_write(die, CS_PMCU_FSM_CTRL, CS_PMCU_FSM_CTRL_TRIGGER_MASK);
}

/* False: not a sample fits into what is left of the piece. */
static bool pmcu_plan(pmcu_pmu *p)
{
    p->request = cs_pmcu_split(&p->layout, p->piece - p->used, p->pending);
    return p->request.samples != 0;
}

/* The piece is full; the next one. False: it has not been read. */
static bool pmcu_turn(pmcu_pmu *p)
{
    cs_perf_aux_room aux;

    if (!cs_perf_aux_look(p->die.event, &aux))
        return false;
    const bool room = aux.free >= p->piece - p->handed + p->piece;
    pmcu_hand_over(p, p->piece, room ? 0 : CS_PERF_AUX_TRUNCATED);
    p->handed = p->used = 0;
    return room;
}

/* ---- the interrupt ---- */

static void pmcu_next(pmcu_pmu *p)
{
    if (p->pending == 0) {
        pmcu_hand_over(p, p->used, 0);
        return;
    }
    if (pmcu_plan(p)) {
        pmcu_trigger(p);
        return;
    }
    if (!pmcu_turn(p))
        p->full = true;
    else if (pmcu_plan(p))
        pmcu_trigger(p);
}

/* The samples of a run that ended badly are dropped, and no other follows. */
static void pmcu_done(pmcu_pmu *p)
{
    const uint32_t status = cs_perf_pmcu_die_read(&p->die, CS_PMCU_FSM_STATUS);

    p->busy = false;
    cs_perf_pmcu_die_write(&p->die, CS_PMCU_INT_CLR, CS_PMCU_INT_CLR_DONE_MASK);
    if ((status & DROPPED) != 0)
        return;
    p->pending -= p->request.samples;
    p->used += p->request.bytes;
    pmcu_next(p);
}

static void pmcu_interrupt(void *ctx)
{
    pmcu_pmu *p = ctx;
    const uint32_t stat = cs_perf_pmcu_die_read(&p->die, CS_PMCU_INT_STAT);

    if ((stat & CS_PMCU_INT_STAT_DONE_MASK) != 0)
        pmcu_done(p);
    if ((stat & CS_PMCU_INT_STAT_BRK_MASK) == 0)
        return;
    p->busy = false;
    cs_perf_pmcu_die_write(&p->die, CS_PMCU_INT_CLR, CS_PMCU_INT_CLR_BRK_MASK);
}

/* ---- events ---- */

static int pmcu_event_init(cs_pmu *pmu, cs_perf_event *e)
{
    pmcu_pmu *p = (pmcu_pmu *)pmu;
    const uint32_t samples = (uint32_t)e->attr.config, ms = (uint32_t)(e->attr.config >> 32);

    if (e->attr.type != pmu->type)
        return -ENOENT;
    if (p->busy)
        return -EBUSY;
    if (ms > MOST_MS || e->who.tid != 0)
        return -EINVAL;
    e->hw.event = CS_PERF_NO_STREAM;
    p->pending = samples != 0 ? samples : SAMPLES;
    p->ticks = ms != 0 ? ms * TICKS_OF_MS : TICKS;
    cs_perf_pmcu_die_begin(&p->die);
    cs_perf_pmcu_die_write(&p->die, CS_PMCU_PMCCFILTR,
                           (uint32_t)(e->attr.config1 & 0xff) << FILTER_SHIFT);
    return 0;
}

static void pmcu_read(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    (void)pmu;
    (void)cpu;
    (void)e;
}

/* ---- a session ---- */

static void put_word(uint8_t *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

/* The array has as many copies of the events as it holds. */
static void pmcu_put_events(pmcu_pmu *p, const uint32_t events[])
{
    for (unsigned i = 0; i < p->layout.nr_event * p->layout.max_sample_loop; i++)
        put_word(&p->die.events[4 * i], events[i % p->layout.nr_event]);
}

/* Once, where the area begins. */
static void pmcu_put_header(pmcu_pmu *p, cs_pmcu_aux_header *header)
{
    uint8_t bytes[CS_PMCU_AUX_MAX_HEADER_BYTES];
    cs_perf_aux_room aux;
    size_t n;

    if (!cs_perf_aux_look(p->die.event, &aux) || aux.head != 0)
        return;
    header->buffer_size = (uint32_t)p->piece;
    header->nr_pmu = p->layout.nr_pmu;
    header->nr_cpu = p->die.clusters * CS_PERF_PMCU_SLOTS;
    header->subsample_size = p->layout.subsample_bytes;
    header->subsamples_per_sample = p->layout.subsamples_per_sample;
    header->nr_event = p->layout.nr_event;
    n = cs_pmcu_aux_header_encode(header, bytes);
    for (size_t i = 0; i < n; i++)
        aux.memory[i] = bytes[i];
    p->used = n;
}

static void pmcu_set_up(pmcu_pmu *p)
{
    uint16_t wanted[CS_PERF_PMCU_MOST_EVENTS];
    const size_t nr = p->config.user_events(p->config.ctx, wanted);
    cs_pmcu_aux_header header = {0};

    p->layout = cs_pmcu_layout_of((unsigned)nr, false, p->die.clusters * CS_PERF_PMCU_SLOTS);
    for (unsigned i = 0; i < p->layout.nr_event; i++)
        header.events[i] = i < nr ? wanted[i] : CS_PMCU_AUX_NULL_EVENT;
    pmcu_put_events(p, header.events);
    pmcu_put_header(p, &header);
}

/* False: there is no area, or no room in it. */
static bool pmcu_start_session(pmcu_pmu *p, cs_perf_event *e)
{
    if (p->busy)
        return true;
    p->die.event = e;
    p->full = false;
    cs_perf_pmcu_die_run(&p->die);
    if (!pmcu_find_piece(p))
        return false;
    pmcu_set_up(p);
    if (p->pending == 0)
        return true;
    if (!pmcu_plan(p) && !(p->handed != 0 && pmcu_turn(p) && pmcu_plan(p)))
        return false;
    pmcu_trigger(p);
    return true;
}

static void pmcu_stop_session(pmcu_pmu *p)
{
    if (p->die.event == NULL)
        return;
    cs_perf_pmcu_die_run(&p->die);
    if (p->busy) {
        cs_perf_pmcu_die_write(&p->die, CS_PMCU_FSM_BRK, CS_PMCU_FSM_BRK_BRK_MASK);
        cs_perf_pmcu_die_run_alone(&p->die);
    }
    p->busy = false;
    pmcu_hand_over(p, p->used, 0);
    p->die.event = NULL;
}

static void pmcu_start(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    (void)cpu;
    pmcu_start_session((pmcu_pmu *)pmu, e);
}

static void pmcu_stop(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    (void)cpu;
    (void)e;
    pmcu_stop_session((pmcu_pmu *)pmu);
}

static int pmcu_add(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    pmcu_pmu *p = (pmcu_pmu *)pmu;

    (void)cpu;
    if (p->die.event != NULL)
        return -EAGAIN;
    if (pmcu_start_session(p, e))
        return 0;
    p->die.event = NULL;
    return -EAGAIN;
}

/* ---- time ---- */

static void pmcu_settle(cs_pmu *pmu, cs_perf_cpu *cpu)
{
    cs_perf_pmcu_die_settle(&((pmcu_pmu *)pmu)->die, cpu);
}

static void pmcu_reached(cs_pmu *pmu)
{
    pmcu_pmu *p = (pmcu_pmu *)pmu;

    cs_perf_pmcu_die_run(&p->die);
    if (!p->full)
        return;
    p->full = false;
    cs_perf_disable(p->die.event);
}

/* ---- begin and end ---- */

static void pmcu_destroy(cs_pmu *pmu)
{
    cs_perf_pmcu_die_end(&((pmcu_pmu *)pmu)->die);
    free(pmu);
}

static cs_status pmcu_create(cs_perf *perf, const cs_perf_system *system, cs_pmu **out,
                             cs_diag *diag)
{
    static const cs_pmu_ops ops = {
        .event_init = pmcu_event_init,
        .add = pmcu_add,
        .del = pmcu_stop,
        .start = pmcu_start,
        .stop = pmcu_stop,
        .read = pmcu_read,
        .settle = pmcu_settle,
        .reached = pmcu_reached,
        .destroy = pmcu_destroy,
    };
    pmcu_pmu *p = calloc(1, sizeof *p);
    cs_status status;

    *out = NULL;
    if (p == NULL)
        return CS_ERR_NO_MEMORY;
    p->config = *(const cs_perf_pmcu *)system->config;
    p->pmu = (cs_pmu){
        .ops = &ops, .name = system->name, .type = system->type, .aux = true, .alone = true};
    p->die.interrupt = pmcu_interrupt;
    p->die.ctx = p;
    status = cs_perf_pmcu_die_init(&p->die, perf, &p->config, diag);
    if (status != CS_OK) {
        pmcu_destroy(&p->pmu);
        return status;
    }
    *out = &p->pmu;
    return CS_OK;
}

const cs_perf_system_driver cs_perf_pmcu_driver = {pmcu_create};
