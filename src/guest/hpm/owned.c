// SPDX-License-Identifier: Apache-2.0
#include "guest/hpm/owned.h"

#include <inttypes.h>
#include <stdlib.h>

#define USER 1u /* a mode in the log: the kernel's and the firmware's are 0 */
#define OF (UINT64_C(1) << 63)
#define CSR_SETTINGS 0x320u /* mcountinhibit, mhpmevents */
#define CSR_COUNTERS 0xb00u /* mcycle, minstret, mhpmcounters */
#define CSR_READABLE 0xc00u /* cycle, instret, hpmcounters */
#define CSR_MIP 0x344u
#define CSR_SCOUNTINHIBIT 0x120u
#define CSR_SIREG 0x151u
#define CSR_SIREG6 0x157u
#define CSR_SIP 0x144u
#define LCOFI (UINT64_C(1) << 13)

/* An overflow of a counter whose sample has not come yet. */
typedef struct overflow {
    uint64_t number; /* 0: there is none */
    uint64_t owner;  /* of the counter then */
    cs_cycle cycle;
    uint64_t pc, executed; /* of its mode, with it */
    unsigned mode;
    uint32_t image;
    bool waits; /* for the kernel's handler of traps */
} overflow;

typedef struct counter {
    hart_setting setting;
    uint64_t from;  /* what hart_count said when it began, */
    uint64_t below; /* and how many instructions outside of the firmware there had been */
    uint64_t owner; /* id of perf's event; 0: nobody's */
    overflow overflow;
} counter;

typedef struct one_hart {
    hart *hart;
    counter counters[CS_HPM_COUNTERS];
    uint64_t starting, reading; /* the event that the driver has begun to do that with */
    uint64_t stopping;          /* the same, until its counter ends */
    uint64_t restarted;         /* whose counter counts again, without that */
    uint32_t overflowed;        /* counters whose OF was set before */
    uint32_t stale;             /* of these, those that began with it, or had it written */
    uint32_t wanted;            /* outcomes, since the last write that may have changed that */
    bool pending, enabled;
    bool held, lost; /* a fault: the interrupt comes an instruction late, or never */
    bool waits;
} one_hart;

struct owned {
    one_hart harts[OWNED_HARTS];
    unsigned nr_harts;
    uint8_t fault;
    uint64_t faulty;
    FILE *log;
    uint64_t overflows, samples, starts;
};

cs_status owned_create(const owned_config *config, owned **out, cs_diag *diag)
{
    owned *o = calloc(1, sizeof *o);
    cs_status status = CS_OK;

    *out = NULL;
    if (o == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "hart", "counters of a guest");
    o->nr_harts = config->nr_harts;
    o->fault = config->fault;
    o->faulty = config->faulty;
    o->log = config->log;
    for (unsigned i = 0; i < o->nr_harts && status == CS_OK; i++)
        status = hart_create(config->hpm, config->events, config->cost, &o->harts[i].hart, diag);
    if (status == CS_OK)
        *out = o;
    else
        owned_destroy(o);
    return status;
}

void owned_destroy(owned *o)
{
    for (unsigned i = 0; o != NULL && i < o->nr_harts; i++)
        hart_destroy(o->harts[i].hart);
    free(o);
}

void owned_record(owned *o, unsigned number, struct pins *pins)
{
    hart_record(o->harts[number].hart, pins);
}

/* ---- overflows ---- */

static void tell_overflow(owned *o, unsigned number, unsigned n, const owned_where *where)
{
    one_hart *h = &o->harts[number];
    counter *of = &h->counters[n];

    of->overflow = (overflow){.number = ++o->overflows,
                              .owner = of->owner,
                              .cycle = hart_now(h->hart),
                              .pc = where->pc,
                              .executed = hart_executed_in(where->executed, where->last.mode),
                              .mode = where->last.mode,
                              .image = where->image,
                              .waits = true};
    h->waits = true;
    fprintf(
        o->log, "O %" PRIx64 " %" PRIx64 " %" PRIx64 " %x %x %x %x %" PRIx64 " %" PRIx64 " %x\n",
        o->overflows, of->overflow.cycle, where->pc, where->last.mode == CS_HPM_MODE_U ? USER : 0,
        number, where->image, n, hart_value(h->hart, n), of->owner, where->takes && h->enabled);
    if (of->owner != 0 && of->owner == h->stopping) /* on its way to stop it */
        fprintf(o->log, "L %" PRIx64 "\n", o->overflows);
    if (o->overflows == o->faulty) {
        h->held = o->fault == CS_GUEST_LATE;
        h->lost = o->fault == CS_GUEST_LOST;
    } else {
        h->lost = false; /* this one's interrupt comes */
    }
}

/* What OF says of counters of which no software has just set it. */
static void look(owned *o, unsigned number, const owned_where *where, uint32_t set)
{
    one_hart *h = &o->harts[number];

    h->pending = hart_pending(h->hart);
    h->enabled = hart_enabled(h->hart);
    const uint32_t overflowed = hart_overflowed(h->hart);
    const uint32_t newly = overflowed & ~h->overflowed & ~set;

    h->held = false;
    for (unsigned n = 0; n < CS_HPM_COUNTERS; n++)
        if ((newly >> n & 1) != 0)
            tell_overflow(o, number, n, where);
    h->overflowed = overflowed;
    h->stale = (h->stale | set) & overflowed;
}

void owned_tell(owned *o, unsigned number, const owned_where *where)
{
    hart_tell(o->harts[number].hart, where->executed, where->last);
    look(o, number, where, 0);
}

bool owned_pending(const owned *o, unsigned number)
{
    const one_hart *h = &o->harts[number];

    return h->pending && !h->held && !h->lost;
}

bool owned_enabled(const owned *o, unsigned number)
{
    return o->harts[number].enabled;
}

uint64_t owned_left(const owned *o, unsigned number, unsigned mode)
{
    return o->harts[number].held ? 1 : hart_left(o->harts[number].hart, mode);
}

uint64_t owned_outcomes_left(const owned *o, unsigned number)
{
    return hart_outcomes_left(o->harts[number].hart);
}

uint32_t owned_wanted(const owned *o, unsigned number)
{
    return o->harts[number].wanted;
}

bool owned_waits(const owned *o, unsigned number)
{
    return o->harts[number].waits;
}

void owned_trap(owned *o, unsigned number, const hart_executed *executed, uint64_t cause)
{
    one_hart *h = &o->harts[number];

    for (unsigned n = 0; n < CS_HPM_COUNTERS; n++) {
        overflow *of = &h->counters[n].overflow;

        if (of->number == 0 || !of->waits)
            continue;
        /* The handler's first instruction is among them. */
        const uint64_t since = hart_executed_in(executed, of->mode) - of->executed -
                               (of->mode == CS_HPM_MODE_S ? 1 : 0);
        fprintf(o->log, "T %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", of->number, since, cause);
        of->waits = false;
    }
    h->waits = false;
}

/* ---- counters of perf's events ---- */

static void end_counter(owned *o, unsigned number, unsigned n, const hart_executed *executed)
{
    const one_hart *h = &o->harts[number];
    const counter *of = &h->counters[n];

    if (of->owner != 0)
        fprintf(o->log, "P %" PRIx64 " %x %" PRIx64 "\n", of->owner, number,
                hart_count(h->hart, &of->setting, executed) - of->from);
}

static uint64_t outside_firmware(const hart_executed *executed)
{
    return hart_executed_in(executed, CS_HPM_MODE_S) + hart_executed_in(executed, CS_HPM_MODE_U);
}

/* A write of the counters' settings has begun or ended some of them. */
static void look_at_counters(owned *o, unsigned number, const hart_executed *executed)
{
    one_hart *h = &o->harts[number];

    for (unsigned n = 0; n < CS_HPM_COUNTERS; n++) {
        counter *of = &h->counters[n];
        const hart_setting now = hart_setting_of(h->hart, n), *was = &of->setting;

        if (now.counting == was->counting && now.event == was->event && now.modes == was->modes)
            continue;
        if (was->counting)
            end_counter(o, number, n, executed);
        if (was->counting && of->owner == h->stopping)
            h->stopping = 0;
        if (now.counting && h->starting != 0) {
            if (of->owner != h->starting) /* a new start may come before the interrupt */
                of->overflow.number = 0;
            of->owner = h->starting;
            h->starting = 0;
        } else if (now.counting) {
            h->restarted = of->owner;
        }
        if (now.counting)
            h->stale |= h->overflowed & UINT32_C(1) << n;
        of->setting = now;
        of->from = hart_count(h->hart, &now, executed);
        of->below = outside_firmware(executed);
    }
}

/* Firmware may let a counter count, and only then write what it begins with, as OpenSBI 1.1 does: what it has
 * counted until then nobody gets, and was no instruction but the firmware's. */
static void begin_again(owned *o, unsigned number, unsigned n, const hart_executed *executed)
{
    counter *of = &o->harts[number].counters[n];

    if (of->setting.counting && of->below == outside_firmware(executed))
        of->from = hart_count(o->harts[number].hart, &of->setting, executed);
}

/* What the driver reads of the event that it is about: before the instruction that reads. */
static void tell_read(owned *o, unsigned number, unsigned n, const owned_where *where)
{
    one_hart *h = &o->harts[number];
    const counter *of = &h->counters[n];
    const hart_executed before = hart_before(where->executed, where->last);

    if (h->reading == 0 || of->owner != h->reading)
        return;
    fprintf(o->log, "Q %" PRIx64 " %x %" PRIx64 "\n", of->owner, number,
            of->setting.counting ? hart_count(h->hart, &of->setting, &before) - of->from : 0);
    h->reading = 0;
}

/* The faulty counter begins one too high. */
static uint64_t spoil(owned *o, one_hart *h, const cs_hpm_access *access)
{
    const bool starts = h->starting != 0 && access->op == CS_HPM_OP_WRITE &&
                        access->csr - CSR_COUNTERS < CS_HPM_COUNTERS;

    return starts && ++o->starts == o->faulty && o->fault == CS_GUEST_COUNT_OFF ? 1 : 0;
}

/* A write there may change what a counter counts, or whether it does. */
static bool is_setting(uint16_t csr)
{
    return csr - CSR_SETTINGS < CS_HPM_COUNTERS || csr == CSR_SCOUNTINHIBIT ||
           (csr >= CSR_SIREG && csr <= CSR_SIREG6);
}

cs_hpm_result owned_access(owned *o, unsigned number, const owned_where *where,
                           const cs_hpm_access *what)
{
    one_hart *h = &o->harts[number];
    const unsigned n = what->csr - CSR_SETTINGS;
    const bool writes = what->op != CS_HPM_OP_READ, setting = n < CS_HPM_COUNTERS;
    cs_hpm_access access = *what;

    hart_tell(h->hart, where->executed, where->last);
    access.value += spoil(o, h, what);
    cs_hpm_result result = hart_access(h->hart, &access);
    look(o, number, where,
         writes && setting && n > 2 && (what->value & OF) != 0 ? UINT32_C(1) << n : 0);
    if (h->lost && (what->csr == CSR_MIP || what->csr == CSR_SIP))
        result.value &= ~LCOFI;
    if (writes && is_setting(what->csr))
        h->wanted = hart_wanted(h->hart);
    if (writes && setting)
        look_at_counters(o, number, where->executed);
    if (writes && what->csr - CSR_COUNTERS < CS_HPM_COUNTERS)
        begin_again(o, number, what->csr - CSR_COUNTERS, where->executed);
    if (!writes && what->csr - CSR_READABLE < CS_HPM_COUNTERS)
        tell_read(o, number, what->csr - CSR_READABLE, where);
    return result;
}

void owned_start(owned *o, unsigned number, uint64_t id)
{
    o->harts[number].starting = id;
}

/* Its counter stays the event's until another begins on it: the handler of overflows may start it again. A
 * counter that is stopped before its interrupt was taken may have no sample of that overflow. */
void owned_stop(owned *o, unsigned number, uint64_t id)
{
    one_hart *h = &o->harts[number];

    h->stopping = id;
    for (unsigned n = 0; n < CS_HPM_COUNTERS && id != 0; n++) {
        const overflow *of = &h->counters[n].overflow;

        if (of->owner == id && of->number != 0)
            fprintf(o->log, "L %" PRIx64 "\n", of->number);
    }
}

uint64_t owned_restarted(owned *o, unsigned number)
{
    const uint64_t id = o->harts[number].restarted;

    o->harts[number].restarted = 0;
    return id;
}

void owned_read(owned *o, unsigned number, uint64_t id)
{
    o->harts[number].reading = id;
}

void owned_opened(owned *o, uint64_t id, uint32_t process, const owned_attr *attr)
{
    fprintf(o->log, "V %" PRIx64 " %x %x %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", id, process,
            attr->type, attr->config, attr->period, attr->flags);
}

void owned_asked(owned *o, uint64_t id, uint32_t process)
{
    uint32_t harts = 0;

    for (unsigned i = 0; i < o->nr_harts; i++)
        for (unsigned n = 0; n < CS_HPM_COUNTERS; n++)
            if (o->harts[i].counters[n].owner == id && o->harts[i].counters[n].setting.counting)
                harts |= UINT32_C(1) << i;
    fprintf(o->log, "G %" PRIx64 " %x %x\n", id, process, harts);
}

/* A sample of no overflow: firmware has started the event's counter with OF set, by which the driver took it for
 * one that has overflowed. */
static void tell_stale(const owned *o, const one_hart *h, uint64_t id)
{
    for (unsigned n = 0; n < CS_HPM_COUNTERS; n++)
        if (h->counters[n].owner == id && (h->stale >> n & 1) != 0)
            fprintf(o->log, "K %" PRIx64 "\n", o->samples);
}

void owned_sample(owned *o, unsigned number, uint64_t id, uint64_t ip, uint32_t process)
{
    one_hart *h = &o->harts[number];
    overflow of = {0};

    for (unsigned n = 0; n < CS_HPM_COUNTERS && id != 0; n++)
        if (h->counters[n].overflow.owner == id && h->counters[n].overflow.number != 0) {
            of = h->counters[n].overflow;
            h->counters[n].overflow.number = 0;
        }
    if (of.number == 0 && id != 0)
        tell_stale(o, h, id);
    fprintf(o->log,
            "R %" PRIx64 " %" PRIx64 " %" PRIx64 " %x %" PRIx64 " %x %x %" PRIx64 " %x %x %" PRIx64
            "\n",
            o->samples, of.number, of.cycle, 0u, ip, process, of.mode == CS_HPM_MODE_U ? USER : 0,
            of.pc, number, of.image, id);
    fprintf(o->log, "D %" PRIx64 " %x %" PRIx64 "\n", o->samples, process, id);
    o->samples++;
}

cs_cycle owned_now(const owned *o, unsigned number)
{
    return hart_now(o->harts[number].hart);
}

const char *owned_failed(const owned *o)
{
    const char *why = NULL;

    for (unsigned i = 0; i < o->nr_harts && why == NULL; i++)
        why = hart_failed(o->harts[i].hart);
    return why;
}
