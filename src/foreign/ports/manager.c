// SPDX-License-Identifier: Apache-2.0
#include "foreign/ports/manager.h"

#include <string.h>

enum { READ, WRITE };

/* A field of a port, of as many bits as it has here. */
static uint64_t look(const cs_foreign_managers *m, unsigned which, unsigned port)
{
    const unsigned pin = m->first + which;
    const unsigned bits = m->bench->unit->pins[pin].field;

    return cs_foreign_look(m->bench, pin, port * bits, bits);
}

static void drive(cs_foreign_managers *m, unsigned which, unsigned port, uint64_t value)
{
    const unsigned pin = m->first + which;
    const unsigned bits = m->bench->unit->pins[pin].field;

    cs_foreign_drive(m->bench, pin, port * bits, bits, value);
}

static bool has(const cs_foreign_managers *m, unsigned which)
{
    return cs_foreign_has(m->bench, m->first + which);
}

static bool now_and_then(cs_foreign_managers *m)
{
    return cs_foreign_one_in(&m->bench->random, m->slow);
}

void cs_foreign_managers_begin(cs_foreign_managers *m)
{
    static const unsigned slow[] = {1, 1, 1, 2, 3, 6};
    static const unsigned fails[] = {0, 0, 2, 10, 40};
    cs_foreign_random *random = &m->bench->random;

    cs_foreign_managers_reset(m);
    m->slow = slow[cs_foreign_below(random, sizeof slow / sizeof slow[0])];
    m->fails = fails[cs_foreign_below(random, sizeof fails / sizeof fails[0])];
}

void cs_foreign_managers_reset(cs_foreign_managers *m)
{
    memset(m->transfer, 0, sizeof m->transfer);
}

/* ---- what is answered ---- */

static bool failing(cs_foreign_managers *m)
{
    return cs_foreign_below(&m->bench->random, 256) < m->fails;
}

static uint8_t error(cs_foreign_managers *m)
{
    return cs_foreign_one_in(&m->bench->random, 2) ? CS_BUS_SLVERR : CS_BUS_DECERR;
}

/* The bytes of a beat lie on the lanes that the address selects; the others have anything. */
static void draw_read(cs_foreign_managers *m, cs_foreign_transfer *t)
{
    cs_bus_txn *txn = t->txn;
    const unsigned lane = (unsigned)(txn->addr % CS_BUS_BEAT_BYTES);
    const bool fails = has(m, CS_FOREIGN_RRESP) && failing(m);
    const unsigned which = (unsigned)cs_foreign_below(&m->bench->random, txn->beats);

    txn->resp = CS_BUS_OKAY;
    for (unsigned beat = 0; beat < txn->beats; beat++)
        t->data[beat] = cs_foreign_bits(&m->bench->random);
    if (m->memory != NULL)
        m->memory(m->bench, txn, t->data);
    for (unsigned beat = 0; beat < txn->beats; beat++) {
        t->resp[beat] = fails && beat == which ? error(m) : CS_BUS_OKAY;
        if (t->resp[beat] > txn->resp)
            txn->resp = t->resp[beat];
        for (unsigned i = 0; i < txn->size; i++)
            txn->data[beat * txn->size + i] = (uint8_t)(t->data[beat] >> 8 * (lane + i));
    }
}

cs_bus_submit cs_foreign_managers_submit(void *ctx, unsigned port, cs_bus_txn *txn)
{
    cs_foreign_managers *m = ctx;
    cs_foreign_transfer *t = &m->transfer[port][txn->write ? WRITE : READ];

    *t = (cs_foreign_transfer){.txn = txn};
    if (txn->write) {
        txn->resp = has(m, CS_FOREIGN_BRESP) && failing(m) ? error(m) : CS_BUS_OKAY;
        t->resp[0] = txn->resp;
    } else {
        draw_read(m, t);
    }
    return CS_BUS_PENDING;
}

static void drive_read(cs_foreign_managers *m, unsigned port)
{
    cs_foreign_transfer *t = &m->transfer[port][READ];

    drive(m, CS_FOREIGN_ARREADY, port, now_and_then(m));
    t->answering = t->answering || (t->addressed && now_and_then(m));
    drive(m, CS_FOREIGN_RVALID, port, t->answering);
    if (!t->answering)
        return;
    drive(m, CS_FOREIGN_RID, port, t->id);
    drive(m, CS_FOREIGN_RDATA, port, t->data[t->beats]);
    drive(m, CS_FOREIGN_RRESP, port, t->resp[t->beats]);
    drive(m, CS_FOREIGN_RLAST, port, t->beats + 1 == t->txn->beats);
}

static void drive_write(cs_foreign_managers *m, unsigned port)
{
    cs_foreign_transfer *t = &m->transfer[port][WRITE];

    drive(m, CS_FOREIGN_AWREADY, port, now_and_then(m));
    drive(m, CS_FOREIGN_WREADY, port, now_and_then(m));
    t->answering = t->answering || (t->addressed && t->beats == t->txn->beats && now_and_then(m));
    drive(m, CS_FOREIGN_BVALID, port, t->answering);
    if (!t->answering)
        return;
    drive(m, CS_FOREIGN_BID, port, t->id);
    drive(m, CS_FOREIGN_BRESP, port, t->resp[0]);
}

void cs_foreign_managers_drive(cs_foreign_managers *m)
{
    for (unsigned port = 0; port < m->ports; port++) {
        if (!m->writes_only)
            drive_read(m, port);
        drive_write(m, port);
    }
}

/* ---- what is asked for ---- */

static void same(cs_foreign_managers *m, unsigned which, unsigned port, uint64_t wanted,
                 uint64_t mask)
{
    if (has(m, which))
        cs_foreign_compare_value(m->bench, m->first + which, port, m->bench->now, wanted & mask,
                                 look(m, which, port) & mask);
}

/* VALID is high from when the model asks, later by what the MAP says, until it is taken. */
static bool asked(const cs_foreign_managers *m, unsigned valid, const cs_foreign_transfer *t)
{
    return t->txn != NULL &&
           m->bench->now >= t->txn->request + m->bench->design->late[m->first + valid];
}

static unsigned log2_of(unsigned size)
{
    return size == 8 ? 3 : size == 4 ? 2 : size == 2 ? 1 : 0;
}

/* `valid` of an address; the fields behind it are the same in both directions. */
static void same_address(cs_foreign_managers *m, unsigned valid, unsigned port,
                         cs_foreign_transfer *t)
{
    enum { READY = 1, ID, ADDR, LEN, SIZE, BURST };
    const uint64_t all = UINT64_MAX;
    const bool wanted = asked(m, valid, t) && !t->addressed;

    same(m, valid, port, wanted, 1);
    if (!wanted)
        return;
    same(m, valid + ADDR, port, t->txn->addr, all);
    same(m, valid + LEN, port, t->txn->beats - 1u, all);
    same(m, valid + SIZE, port, log2_of(t->txn->size), all);
    same(m, valid + BURST, port, 1, all);
    if (look(m, valid + READY, port) != 0) {
        t->addressed = true;
        t->txn->grant = m->bench->now;
        t->id = look(m, valid + ID, port);
    }
}

static void end(cs_foreign_managers *m, unsigned port, cs_foreign_transfer *t)
{
    static const char *const verbs[2][CS_FOREIGN_MOST_PORTS] = {
        {"port 0 read", "port 1 read", "port 2 read", "port 3 read"},
        {"port 0 wrote", "port 1 wrote", "port 2 wrote", "port 3 wrote"}};
    cs_bus_txn *txn = t->txn;
    cs_foreign_deed *deed = cs_foreign_did_this(m->bench, verbs[txn->write][port]);

    deed->has_addr = true;
    deed->addr = txn->addr;
    deed->bytes = cs_bus_txn_bytes(txn);
    deed->behind = txn->resp != CS_BUS_OKAY ? "error" : NULL;
    t->txn = NULL;
    t->addressed = t->answering = false;
    txn->complete = m->bench->now;
    m->bench->report->transfers++;
    m->done(m->bench, port, txn);
}

static bool taken(const cs_foreign_managers *m, unsigned ready, unsigned port)
{
    return !has(m, ready) || look(m, ready, port) != 0;
}

static void observe_read(cs_foreign_managers *m, unsigned port)
{
    cs_foreign_transfer *t = &m->transfer[port][READ];

    same_address(m, CS_FOREIGN_ARVALID, port, t);
    if (!t->answering || !taken(m, CS_FOREIGN_RREADY, port))
        return;
    t->answering = false;
    if (++t->beats == t->txn->beats)
        end(m, port, t);
}

static void same_beat(cs_foreign_managers *m, unsigned port, cs_foreign_transfer *t)
{
    const cs_bus_txn *txn = t->txn;
    const unsigned lane = (unsigned)(txn->addr % CS_BUS_BEAT_BYTES);
    const uint64_t strobes = ((1u << txn->size) - 1) << lane;
    uint64_t bytes = 0, mask = 0;

    for (unsigned i = 0; i < txn->size; i++) {
        bytes |= (uint64_t)txn->data[t->beats * txn->size + i] << 8 * (lane + i);
        mask |= (uint64_t)0xff << 8 * (lane + i);
    }
    same(m, CS_FOREIGN_WDATA, port, bytes, mask);
    same(m, CS_FOREIGN_WSTRB, port, strobes, UINT64_MAX);
    same(m, CS_FOREIGN_WLAST, port, t->beats + 1 == txn->beats, 1);
}

static void observe_write(cs_foreign_managers *m, unsigned port)
{
    cs_foreign_transfer *t = &m->transfer[port][WRITE];
    const bool beat = asked(m, CS_FOREIGN_WVALID, t) && t->beats < t->txn->beats;

    same_address(m, CS_FOREIGN_AWVALID, port, t);
    same(m, CS_FOREIGN_WVALID, port, beat, 1);
    if (beat)
        same_beat(m, port, t);
    if (t->answering && taken(m, CS_FOREIGN_BREADY, port))
        end(m, port, t);
    else if (beat && look(m, CS_FOREIGN_WREADY, port) != 0)
        t->beats++;
}

void cs_foreign_managers_observe(cs_foreign_managers *m)
{
    for (unsigned port = 0; port < m->ports; port++) {
        if (!m->writes_only)
            observe_read(m, port);
        observe_write(m, port);
    }
}
