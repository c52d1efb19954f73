// SPDX-License-Identifier: Apache-2.0
/* The probe stream: everything that can be observed leaves a unit as records.
 * `compare` holds two such streams against each other, `run` makes its results
 * from one. There is no other way out of the simulated hardware but memory. */
#ifndef CS_BASE_PROBE_H
#define CS_BASE_PROBE_H

#include <stdbool.h>

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/cycle.h>
#include <countersink/base/numbers.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_probe_kind {
    CS_PROBE_BUS = 0,   /* a transfer is complete */
    CS_PROBE_REG = 1,   /* a register access takes effect */
    CS_PROBE_STATE = 2, /* a state machine has a new state */
    CS_PROBE_IRQ = 3,   /* an interrupt line has a new level */
    CS_PROBE_SAMPLE = 4 /* a unit has committed a sample to memory */
} cs_probe_kind;

/* Which fields a kind uses:
 *          cycle            source   index  addr        value          others
 *  BUS     last handshake   manager  0      address     data hash      write bytes resp request grant
 *  REG     effect           unit     0      offset      data           write bytes resp
 *  STATE   first cycle in   unit     lane   0           new state
 *  IRQ     first cycle at   unit     line   0           new level
 *  SAMPLE  commit           unit     stream address     running number bytes resp request
 * The streams of a sample are those that its unit tells apart. Its request is the cycle of what it
 * shows, where that is another than the commit. Unused fields are zero. */
typedef struct cs_probe_record {
    cs_cycle cycle;
    uint8_t kind;
    uint8_t write;
    uint8_t resp;
    uint8_t reserved;
    uint16_t source;
    uint16_t index;
    uint64_t addr;
    uint64_t value;
    cs_cycle request;
    cs_cycle grant;
    uint32_t bytes;
    uint32_t reserved2;
} cs_probe_record;

/* Where a unit sends its records; called in no particular order of cycles, but
 * never for a cycle before one that has been declared finished. */
typedef struct cs_probe_sink {
    void (*record)(void *ctx, const cs_probe_record *record);
    void *ctx;
    bool no_hashes; /* `value` of BUS records is not looked at: it may be 0 */
    /* Gets the bytes of a BUS record right before it, and their hash (0 with no_hashes); NULL: not
     * called. */
    void (*data)(void *ctx, uint64_t hash, const uint8_t *data, unsigned bytes);
} cs_probe_sink;

/* `resp` of a SAMPLE that never went to memory. */
#define CS_SAMPLE_LOST 1u

static inline void cs_probe_emit(const cs_probe_sink *sink, const cs_probe_record *record)
{
    if (sink != 0 && sink->record != 0)
        sink->record(sink->ctx, record);
}

/* Hash of a transfer's data (FNV-1a, 64 bits). */
uint64_t cs_probe_hash(const uint8_t *data, unsigned bytes);

/* What `value` of a BUS record is for this sink; it gets the bytes. */
static inline uint64_t cs_probe_data(const cs_probe_sink *sink, const uint8_t *data, unsigned bytes)
{
    uint64_t hash = 0;

    if (sink == 0)
        return 0;
    if (!sink->no_hashes)
        hash = cs_probe_hash(data, bytes);
    if (sink->data != 0)
        sink->data(sink->ctx, hash, data, bytes);
    return hash;
}

/* The order in which records of one cycle are compared: by cycle, kind, source,
 * index, write. Returns <0, 0 or >0. */
int cs_probe_order(const cs_probe_record *a, const cs_probe_record *b);

/* The first field in which a and b differ, as its name; NULL when they are equal. */
const char *cs_probe_difference(const cs_probe_record *a, const cs_probe_record *b,
                                uint64_t *value_a, uint64_t *value_b);

/* Writes one line for people into buffer (no newline) and returns buffer. */
const char *cs_probe_print(const cs_probe_record *record, char *buffer, unsigned long size);

/* "cpu", "core 5", "broadcast 2": static or in buffer. */
const char *cs_probe_source_name(uint8_t kind, uint16_t source, char *buffer, unsigned long size);

/* The same in two: "core" and 5. Of what there is one, *number is 0. Static; NULL: no source has this
 * number. */
const char *cs_probe_source_kind(uint8_t kind, uint16_t source, unsigned *number);

/* All sources that have a name, of BUS records or of all others, have numbers below. */
unsigned cs_probe_sources(uint8_t kind);
/* The names of all units, one after the other, and how many can have a name. NULL at `nr` and beyond. */
const char *cs_probe_unit_at(unsigned long nr, unsigned *count);

#ifdef __cplusplus
}
#endif

#endif
