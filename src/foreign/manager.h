/* The bus behind a design that is a manager: AXI4, a port for each of several. What the model asks
 * for, the design has to ask for, in the cycle that the page says; what both are answered is drawn. */
#ifndef CS_FOREIGN_MANAGER_H
#define CS_FOREIGN_MANAGER_H

#include "base/bus/bus_port.h"
#include "foreign/bench.h"

#define CS_FOREIGN_MOST_PORTS 4u

/* The pins, from the unit's first one on: a field a port. */
enum {
    CS_FOREIGN_AWVALID,
    CS_FOREIGN_AWREADY,
    CS_FOREIGN_AWID,
    CS_FOREIGN_AWADDR,
    CS_FOREIGN_AWLEN,
    CS_FOREIGN_AWSIZE,
    CS_FOREIGN_AWBURST,
    CS_FOREIGN_WVALID,
    CS_FOREIGN_WREADY,
    CS_FOREIGN_WDATA,
    CS_FOREIGN_WSTRB,
    CS_FOREIGN_WLAST,
    CS_FOREIGN_BVALID,
    CS_FOREIGN_BREADY,
    CS_FOREIGN_BID,
    CS_FOREIGN_BRESP,
    CS_FOREIGN_ARVALID,
    CS_FOREIGN_ARREADY,
    CS_FOREIGN_ARID,
    CS_FOREIGN_ARADDR,
    CS_FOREIGN_ARLEN,
    CS_FOREIGN_ARSIZE,
    CS_FOREIGN_ARBURST,
    CS_FOREIGN_RVALID,
    CS_FOREIGN_RREADY,
    CS_FOREIGN_RID,
    CS_FOREIGN_RDATA,
    CS_FOREIGN_RRESP,
    CS_FOREIGN_RLAST,
    CS_FOREIGN_NR_AXI
};

#define CS_FOREIGN_AXI_PIN(text, out, bits, must, says)                                            \
    {                                                                                              \
        .name = (text), .output = (out), .width = (bits)*CS_FOREIGN_MOST_PORTS, .field = (bits),   \
        .needed = (must), .ports = true, .tells = (says)                                           \
    }

/* The rows of a unit's table of pins. */
#define CS_FOREIGN_AXI_PINS                                                                        \
    CS_FOREIGN_AXI_PIN("awvalid_o", true, 1, true, "a write is asked for"),                        \
        CS_FOREIGN_AXI_PIN("awready_i", false, 1, true, "its address is taken"),                   \
        CS_FOREIGN_AXI_PIN("awid_o", true, 4, false, "its number; echoed, not compared"),          \
        CS_FOREIGN_AXI_PIN("awaddr_o", true, 64, true, "its address"),                             \
        CS_FOREIGN_AXI_PIN("awlen_o", true, 8, false, "its beats less one"),                       \
        CS_FOREIGN_AXI_PIN("awsize_o", true, 3, false, "log2 of a beat's bytes"),                  \
        CS_FOREIGN_AXI_PIN("awburst_o", true, 2, false, "1: INCR"),                                \
        CS_FOREIGN_AXI_PIN("wvalid_o", true, 1, true, "a beat of it"),                             \
        CS_FOREIGN_AXI_PIN("wready_i", false, 1, true, "the beat is taken"),                       \
        CS_FOREIGN_AXI_PIN("wdata_o", true, 64, true, "the beat's bytes that are written"),        \
        CS_FOREIGN_AXI_PIN("wstrb_o", true, 8, false, "which bytes are written"),                  \
        CS_FOREIGN_AXI_PIN("wlast_o", true, 1, false, "the last beat"),                            \
        CS_FOREIGN_AXI_PIN("bvalid_i", false, 1, true, "the write is answered"),                   \
        CS_FOREIGN_AXI_PIN("bready_o", true, 1, false,                                             \
                           "the answer is taken; without it: at once"),                            \
        CS_FOREIGN_AXI_PIN("bid_i", false, 4, false, "awid_o of the write"),                       \
        CS_FOREIGN_AXI_PIN("bresp_i", false, 2, false, "0 or an error; without it there is none"), \
        CS_FOREIGN_AXI_PIN("arvalid_o", true, 1, true, "a read is asked for"),                     \
        CS_FOREIGN_AXI_PIN("arready_i", false, 1, true, "its address is taken"),                   \
        CS_FOREIGN_AXI_PIN("arid_o", true, 4, false, "its number; echoed, not compared"),          \
        CS_FOREIGN_AXI_PIN("araddr_o", true, 64, true, "its address"),                             \
        CS_FOREIGN_AXI_PIN("arlen_o", true, 8, false, "its beats less one"),                       \
        CS_FOREIGN_AXI_PIN("arsize_o", true, 3, false, "log2 of a beat's bytes"),                  \
        CS_FOREIGN_AXI_PIN("arburst_o", true, 2, false, "1: INCR"),                                \
        CS_FOREIGN_AXI_PIN("rvalid_i", false, 1, true, "a beat of the read"),                      \
        CS_FOREIGN_AXI_PIN("rready_o", true, 1, false, "the beat is taken; without it: at once"),  \
        CS_FOREIGN_AXI_PIN("rid_i", false, 4, false, "arid_o of the read"),                        \
        CS_FOREIGN_AXI_PIN("rdata_i", false, 64, true, "what is read"),                            \
        CS_FOREIGN_AXI_PIN("rresp_i", false, 2, false, "0 or an error; without it there is none"), \
        CS_FOREIGN_AXI_PIN("rlast_i", false, 1, false, "the last beat")

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
    unsigned slow;  /* a handshake comes in one of so many cycles */
    unsigned fails; /* so many of 256 transfers */
    /* A transfer of the model's is complete: txn->complete, resp and data are there. */
    void (*done)(void *ctx, unsigned port, const cs_bus_txn *txn);
    void *ctx;
    uint64_t transfers, errors;
    cs_foreign_transfer transfer[CS_FOREIGN_MOST_PORTS][2]; /* reads, writes */
} cs_foreign_managers;

/* Nothing is out. `slow` and `fails` are drawn. */
void cs_foreign_managers_begin(cs_foreign_managers *m);

/* What a model is given as its bus; ctx is the cs_foreign_managers. */
cs_bus_submit cs_foreign_managers_submit(void *m, unsigned port, cs_bus_txn *txn);

/* Drives the inputs of a cycle. */
void cs_foreign_managers_drive(cs_foreign_managers *m);
/* Its outputs against what the model wants, and the handshakes. False: a difference, in the report. */
bool cs_foreign_managers_observe(cs_foreign_managers *m, cycle_t now);

#endif
