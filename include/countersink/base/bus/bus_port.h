// SPDX-License-Identifier: Apache-2.0
/* The bus port that a model is handed: how plain C asks the fabric for a
 * transfer (docs/hw/bus.md). The model owns the transaction object until it is
 * complete; a port carries at most one read and one write at a time. */
#ifndef CS_BASE_BUS_PORT_H
#define CS_BASE_BUS_PORT_H

#include <countersink/base/cycle.h>

#define CS_BUS_BEAT_BYTES 8u
#define CS_BUS_MAX_BEATS 16u
#define CS_BUS_MAX_BYTES (CS_BUS_BEAT_BYTES * CS_BUS_MAX_BEATS)

/* A write to a memory address with this bit adds (docs/hw/bus.md, "Adding"). */
#define CS_BUS_ADD ((uint64_t)1 << 56)

/* Numbers as on AXI's xRESP wires. */
typedef enum cs_bus_resp { CS_BUS_OKAY = 0, CS_BUS_SLVERR = 2, CS_BUS_DECERR = 3 } cs_bus_resp;

/* One INCR burst. A burst of several beats has size 8 and an address that is a
 * multiple of 8, and does not cross a 4 KiB boundary; a single beat may have
 * size 1, 2, 4 or 8 and an address that is a multiple of it. */
typedef struct cs_bus_txn {
    /* set by the manager */
    uint64_t addr;
    cs_cycle request; /* the first cycle in which xVALID is high */
    uint8_t write;    /* 1: write, 0: read */
    uint8_t size;     /* bytes a beat */
    uint8_t beats;    /* 1..16 */
    /* set by the fabric */
    uint8_t resp;      /* cs_bus_resp: the worst of all beats */
    cs_cycle grant;    /* the cycle of the address handshake */
    cs_cycle complete; /* the cycle of the last R, or of the B, handshake */
    /* beats * size bytes, the byte at addr first */
    uint8_t data[CS_BUS_MAX_BYTES];
} cs_bus_txn;

typedef enum cs_bus_submit {
    CS_BUS_DONE,   /* complete already: grant, complete, resp and data are valid;
                      `complete` may lie in the future of the caller */
    CS_BUS_PENDING /* the platform calls the model's bus_done() when simulated
                      time has reached txn->complete */
} cs_bus_submit;

typedef struct cs_bus_port {
    cs_bus_submit (*submit)(void *ctx, unsigned port, cs_bus_txn *txn);
    void *ctx;
} cs_bus_port;

static inline unsigned cs_bus_txn_bytes(const cs_bus_txn *txn)
{
    return (unsigned)txn->size * txn->beats;
}

#endif
