// SPDX-License-Identifier: Apache-2.0
/* OPAL's calls for in-memory collection, as skiboot carries them out: which registers and
 * memory words it writes, in which order. No bus here: the caller makes the writes. */
#ifndef CS_DRIVERS_IMC_OPAL_H
#define CS_DRIVERS_IMC_OPAL_H

#include <stdbool.h>
#include <stdint.h>

#include "scenario/imc/imc_spec.h"
#include <countersink/base/numbers.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_opal_token {
    CS_OPAL_IMC_INIT = 149,
    CS_OPAL_IMC_START = 150,
    CS_OPAL_IMC_STOP = 151
} cs_opal_token;

typedef enum cs_opal_type { CS_OPAL_NEST = 1, CS_OPAL_CORE = 2, CS_OPAL_TRACE = 3 } cs_opal_type;

#define CS_OPAL_SUCCESS 0
#define CS_OPAL_PARAMETER (-1)
#define CS_OPAL_HARDWARE (-6)

/* Bits of an address that reach PDBAR and LDBAR. */
#define CS_IMC_ADDRESS_MASK 0x0003ffffffffe000u
#define CS_HTM_ENABLE 0xE800000000000000u
#define CS_HTM_DISABLE 0xE000000000000000u

/* The control block's commands, and where the word is. */
#define CS_NEST_RESUME 1u
#define CS_NEST_PAUSE 2u
#define CS_NEST_STATUS_OFFSET 0x3fc00u
#define CS_NEST_COMMAND_OFFSET 0x3fc08u
#define CS_NEST_UNITS_OFFSET 0x3fc18u
#define CS_NEST_MODE_OFFSET 0x3fc20u

typedef struct cs_opal_config {
    bool power10;
    bool fused; /* two cores of four threads look like one of eight */
    unsigned cores;
    unsigned chips; /* each has as many of the cores; 0 is 1 */
    bool nest;
    uint64_t nest_base[CS_MAX_CHIPS];
    uint64_t event_mask;
    uint64_t trace_scom;
} cs_opal_config;

/* What the stop-api gives back to a core that wakes from a deep stop. */
typedef struct cs_opal_saved {
    bool core_valid, trace_valid;
    uint64_t pdbar;
} cs_opal_saved;

typedef struct cs_opal cs_opal; /* the state of the firmware */
struct cs_opal {
    cs_opal_config config;
    cs_opal_saved saved[CS_IMC_MAX_CORES];
};

#define CS_OPAL_MAX_WRITES 6u

typedef struct cs_opal_write {
    uint64_t addr; /* of the bus; 8 bytes */
    uint64_t value;
    bool memory; /* a big-endian word of memory, not a register */
} cs_opal_write;

typedef struct cs_opal_answer {
    int status; /* if every write is answered OKAY; the first that is not ends the call, and it is
                 * CS_OPAL_HARDWARE */
    bool looks; /* before its writes it reads the big-endian word at look_at; where that is zero, or
                 * not to be had, it is CS_OPAL_HARDWARE and nothing is written */
    uint64_t look_at;
    unsigned nr_writes;
    cs_opal_write writes[CS_OPAL_MAX_WRITES];
} cs_opal_answer;

/* The physical core that a PIR means, in its chip; and the chip. */
unsigned cs_opal_core_of(bool fused, uint32_t pir);
unsigned cs_opal_chip_of(bool power10, uint32_t pir);

/* One call. `addr` is looked at by INIT of CORE only. */
cs_opal_answer cs_opal_call(cs_opal *opal, cs_opal_token token, unsigned type, uint64_t addr,
                            uint32_t pir);

/* What self-restore writes when the core wakes: the stop-api's entries. HTM_MODE is none of them. */
cs_opal_answer cs_opal_wake(const cs_opal *opal, unsigned core);

#ifdef __cplusplus
}
#endif

#endif
