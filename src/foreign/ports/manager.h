// SPDX-License-Identifier: Apache-2.0
/* The bus behind a design that is a manager: AXI4, a port for each of several. What the model asks
 * for, the design has to ask for, in the cycle that the page says; what both are answered is drawn. */
#ifndef CS_FOREIGN_MANAGER_H
#define CS_FOREIGN_MANAGER_H

#include "foreign/bench.h"
#include <countersink/base/bus/bus_port.h>

/* The rows of a unit's table of pins: a field a port. One that only writes has the first ones alone. */
#define CS_FOREIGN_AXI(PIN, id, text, out, bits, must, ...)                                        \
    PIN(id, .name = (text), .output = (out), .width = (bits)*CS_FOREIGN_MOST_PORTS,                \
        .field = (bits), .needed = (must), .each = "port", .bus = true, .tells = __VA_ARGS__)

#define CS_FOREIGN_AXI_WRITE_PINS(PIN)                                                             \
    CS_FOREIGN_AXI(PIN, AWVALID, "awvalid_o", true, 1, true, "a write is asked for")               \
    CS_FOREIGN_AXI(PIN, AWREADY, "awready_i", false, 1, true, "its address is taken")              \
    CS_FOREIGN_AXI(PIN, AWID, "awid_o", true, 4, false, "its number; echoed, not compared",        \
                   .followed = true)                                                               \
    CS_FOREIGN_AXI(PIN, AWADDR, "awaddr_o", true, 64, true, "its address")                         \
    CS_FOREIGN_AXI(PIN, AWLEN, "awlen_o", true, 8, false, "its beats less one")                    \
    CS_FOREIGN_AXI(PIN, AWSIZE, "awsize_o", true, 3, false, "log2 of a beat's bytes")              \
    CS_FOREIGN_AXI(PIN, AWBURST, "awburst_o", true, 2, false, "1: INCR")                           \
    CS_FOREIGN_AXI(PIN, WVALID, "wvalid_o", true, 1, true, "a beat of it")                         \
    CS_FOREIGN_AXI(PIN, WREADY, "wready_i", false, 1, true, "the beat is taken")                   \
    CS_FOREIGN_AXI(PIN, WDATA, "wdata_o", true, 64, true, "the beat's bytes that are written")     \
    CS_FOREIGN_AXI(PIN, WSTRB, "wstrb_o", true, 8, false, "which bytes are written")               \
    CS_FOREIGN_AXI(PIN, WLAST, "wlast_o", true, 1, false, "the last beat")                         \
    CS_FOREIGN_AXI(PIN, BVALID, "bvalid_i", false, 1, true, "the write is answered")               \
    CS_FOREIGN_AXI(PIN, BREADY, "bready_o", true, 1, false,                                        \
                   "the answer is taken; without it: at once", .followed = true)                   \
    CS_FOREIGN_AXI(PIN, BID, "bid_i", false, 4, false, "awid_o of the write")                      \
    CS_FOREIGN_AXI(PIN, BRESP, "bresp_i", false, 2, false,                                         \
                   "0 or an error; without it there is none")

#define CS_FOREIGN_AXI_READ_PINS(PIN)                                                              \
    CS_FOREIGN_AXI(PIN, ARVALID, "arvalid_o", true, 1, true, "a read is asked for")                \
    CS_FOREIGN_AXI(PIN, ARREADY, "arready_i", false, 1, true, "its address is taken")              \
    CS_FOREIGN_AXI(PIN, ARID, "arid_o", true, 4, false, "its number; echoed, not compared",        \
                   .followed = true)                                                               \
    CS_FOREIGN_AXI(PIN, ARADDR, "araddr_o", true, 64, true, "its address")                         \
    CS_FOREIGN_AXI(PIN, ARLEN, "arlen_o", true, 8, false, "its beats less one")                    \
    CS_FOREIGN_AXI(PIN, ARSIZE, "arsize_o", true, 3, false, "log2 of a beat's bytes")              \
    CS_FOREIGN_AXI(PIN, ARBURST, "arburst_o", true, 2, false, "1: INCR")                           \
    CS_FOREIGN_AXI(PIN, RVALID, "rvalid_i", false, 1, true, "a beat of the read")                  \
    CS_FOREIGN_AXI(PIN, RREADY, "rready_o", true, 1, false,                                        \
                   "the beat is taken; without it: at once", .followed = true)                     \
    CS_FOREIGN_AXI(PIN, RID, "rid_i", false, 4, false, "arid_o of the read")                       \
    CS_FOREIGN_AXI(PIN, RDATA, "rdata_i", false, 64, true, "what is read")                         \
    CS_FOREIGN_AXI(PIN, RRESP, "rresp_i", false, 2, false,                                         \
                   "0 or an error; without it there is none")                                      \
    CS_FOREIGN_AXI(PIN, RLAST, "rlast_i", false, 1, false, "the last beat")

#define CS_FOREIGN_AXI_PINS(PIN)                                                                   \
    CS_FOREIGN_AXI_WRITE_PINS(PIN)                                                                 \
    CS_FOREIGN_AXI_READ_PINS(PIN)

/* Their places behind the unit's AWVALID. */
#define ROW(name, ...) CS_FOREIGN_##name,
enum { CS_FOREIGN_AXI_PINS(ROW) CS_FOREIGN_NR_AXI };
#undef ROW

/* One direction of a port: what the model wants, and how far the design is with it. */
typedef struct cs_foreign_transfer {
    cs_bus_txn *txn; /* NULL: none is out */
    bool addressed;  /* the address was taken */
    bool answering;  /* RVALID or BVALID is high until it is taken */
    unsigned beats;  /* done */
    uint64_t id;
    uint64_t data[CS_BUS_MAX_BEATS]; /* a read's, as on the wires */
    uint8_t resp[CS_BUS_MAX_BEATS];  /* of a read's beats, or [0] of a write */
} cs_foreign_transfer;

typedef struct cs_foreign_managers {
    cs_foreign_bench *bench;
    unsigned first; /* pin */
    unsigned ports;
    bool writes_only;
    unsigned slow;  /* a handshake comes in one of so many cycles */
    unsigned fails; /* so many of 256 transfers */
    /* A transfer of the model's is complete: txn->complete, resp and data are there. */
    void (*done)(cs_foreign_bench *bench, unsigned port, const cs_bus_txn *txn);
    /* What a read returns, a word a beat; NULL: anything. */
    void (*memory)(cs_foreign_bench *bench, const cs_bus_txn *txn, uint64_t words[]);
    cs_foreign_transfer transfer[CS_FOREIGN_MOST_PORTS][2]; /* reads, writes */
} cs_foreign_managers;

/* Nothing is out. `slow` and `fails` are drawn. */
void cs_foreign_managers_begin(cs_foreign_managers *m);

/* Whatever was out is forgotten. */
void cs_foreign_managers_reset(cs_foreign_managers *m);

/* What a model is given as its bus; ctx is the cs_foreign_managers. */
cs_bus_submit cs_foreign_managers_submit(void *m, unsigned port, cs_bus_txn *txn);

/* Drives the inputs of a cycle. */
void cs_foreign_managers_drive(cs_foreign_managers *m);
/* Its outputs against what the model wants, and the handshakes. */
void cs_foreign_managers_observe(cs_foreign_managers *m);

#endif
