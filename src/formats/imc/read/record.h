// SPDX-License-Identifier: Apache-2.0
/* Reads a raw trace buffer of POWER's IMC, or several one after the other: records of 64
 * bytes, eight big-endian words each.
 *
 *     word  0     1    2     3      4      5      6      7
 *           tb1   ip   val   cpmc1  cpmc2  cpmc3  cpmc4  tb2
 *
 *  - tb1 is the timebase; tb2 is its low 42 bits again, the rest of the word zero.
 *  - val: bits 0:1 are MSR[HV PR] on POWER10. Where the ids of the process are is not
 *    documented; this simulator has LPID in bits 20:31 and PID in 32:63.
 *  - cpmc1..4 are 32-bit counts, right-justified (ours to choose as well).
 *
 * Hardware wraps at the end of its buffer without a sign, so that a buffer holds new records,
 * then old ones. The kernel driver takes records from place 0 on, as long as tb1 is above that
 * of the one before (0 before place 0) and agrees with tb2; then it clears tb1 of place 0. Each
 * record gets two verdicts here: what it is by itself, and what the driver's scan does with it.
 *
 * The reader takes bytes in order and holds a small piece of them: memory does not grow with
 * the data. */
#ifndef CS_FORMATS_IMC_READ_RECORD_H
#define CS_FORMATS_IMC_READ_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/common/byte_source.h"
#include "formats/imc/abi/record.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_imc_verdict {
    CS_IMC_VALID,     /* by the scan: delivered */
    CS_IMC_EMPTY,     /* all 64 bytes are zero */
    CS_IMC_READ,      /* place 0 with tb1 cleared by an earlier scan */
    CS_IMC_NO_TIME,   /* tb1 is 0 elsewhere */
    CS_IMC_TB2,       /* tb2 is not what tb1 says */
    CS_IMC_NOT_ABOVE, /* tb1 is not above that of the record before; by the scan only */
    CS_IMC_ENDED,     /* a record before it ended the scan; by the scan only */
    CS_IMC_CUT,       /* the data end within the record */
    CS_IMC_NR_VERDICTS
} cs_imc_verdict;

typedef struct cs_imc_trace_record {
    uint64_t index;  /* in the data, from 0 */
    uint64_t buffer; /* the buffer that it is in, from 0 */
    uint64_t place;  /* in that buffer, from 0 */
    uint32_t bytes;  /* 64, or how many there are of one that is cut short */
    uint64_t tb1;    /* words of a record that is cut short are 0 where not whole */
    uint64_t ip;
    uint64_t val;
    uint64_t cpmc[CS_IMC_TRACE_COUNTERS]; /* the whole words */
    uint64_t tb2;                         /* the whole word */
    cs_imc_verdict itself;
    cs_imc_verdict scan;
} cs_imc_trace_record;

typedef struct cs_imc_trace_totals {
    uint64_t buffers;                       /* begun */
    uint64_t records;                       /* with one that is cut short */
    uint64_t by_itself[CS_IMC_NR_VERDICTS]; /* records by verdict */
    uint64_t by_scan[CS_IMC_NR_VERDICTS];
    uint64_t lost; /* valid by themselves, yet not delivered */
} cs_imc_trace_totals;

/* Who ran when a record was taken. */
typedef enum cs_imc_mode {
    CS_IMC_GUEST_KERNEL, /* as MSR[HV PR] */
    CS_IMC_GUEST_USER,
    CS_IMC_HOST_KERNEL,
    CS_IMC_HOST_USER,
    CS_IMC_KERNEL, /* POWER9 does not tell guest from host */
    CS_IMC_USER,
    CS_IMC_NR_MODES
} cs_imc_mode;

typedef struct cs_imc_trace cs_imc_trace;

/* `name` (copied, may be NULL) is what errors call the data; a scan is of `buffer_bytes` bytes,
 * a multiple of 64, 0 for CS_IMC_TRACE_BUFFER_BYTES. Nothing is read yet. Errors: CS_ERR_RANGE,
 * CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_imc_trace_open(const cs_byte_source *source, const char *name, uint64_t buffer_bytes,
                            cs_imc_trace **out, cs_diag *diag);
void cs_imc_trace_close(cs_imc_trace *trace); /* NULL is allowed */

/* The next record in *out, NULL after the last; valid until the next call. What is in a record
 * is no error: a bad one has its verdicts. Data that end within a record: CS_ERR_FORMAT with the
 * byte, after that record was given. Other errors: those of the source. */
cs_status cs_imc_trace_next(cs_imc_trace *trace, const cs_imc_trace_record **out, cs_diag *diag);

/* Of the records given so far. */
const cs_imc_trace_totals *cs_imc_trace_get_totals(const cs_imc_trace *trace);

/* The eight words of 64 bytes, with index, buffer and place 0 and no verdict of a scan: scan is
 * as itself. */
void cs_imc_trace_decode(const uint8_t bytes[CS_IMC_TRACE_RECORD_BYTES], cs_imc_trace_record *out);

/* The 64 bytes of a record's words; its other members do not matter. */
void cs_imc_trace_encode(const cs_imc_trace_record *record, uint8_t out[CS_IMC_TRACE_RECORD_BYTES]);

/* By MSR[HV PR] on POWER10; on POWER9, where val does not tell, by the address: at or above
 * 0xc000000000000000 is the kernel. */
cs_imc_mode cs_imc_trace_mode(const cs_imc_trace_record *record, bool power10);

const char *cs_imc_mode_name(cs_imc_mode mode); /* as "guest kernel" */

/* What a verdict means, as "second timebase does not match". */
const char *cs_imc_verdict_text(cs_imc_verdict verdict);

#define CS_IMC_VERDICT_BYTES 64u

/* The same for one record's verdict: "cut short: 17 of 64 bytes". Returns buffer or a literal. */
const char *cs_imc_verdict_of(const cs_imc_trace_record *record, cs_imc_verdict verdict,
                              char buffer[CS_IMC_VERDICT_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
