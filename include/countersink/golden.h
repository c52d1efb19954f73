// SPDX-License-Identifier: Apache-2.0
/* A golden counter block for any testbench: the C model of docs/hw/hpm.md, fed cycle by cycle with
 * what a core does. DPI-C (countersink_golden_pkg.sv), VPI (golden_vpi.c) and Python
 * (countersink_golden.py) use these functions; docs/yours/testbench.md.
 *
 *     cs_golden *golden = cs_golden_create("xlen=32 modes=1 counters=0x18 width=40");
 *
 *     for each cycle {
 *         cs_golden_event(golden, CS_GOLDEN_CYCLES, 1);
 *         cs_golden_event(golden, CS_GOLDEN_INSTRET, retired);
 *         cs_golden_event(golden, 7, loads);
 *         if (the core executes a CSR instruction)
 *             cs_golden_access(golden, csr, op, operand);     what it must answer
 *         cs_golden_step(golden);
 *     } */
#ifndef CS_GOLDEN_HPM_GOLDEN_H
#define CS_GOLDEN_HPM_GOLDEN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if !defined(CS_GOLDEN_API) && defined(__GNUC__)
#define CS_GOLDEN_API __attribute__((visibility("default")))
#elif !defined(CS_GOLDEN_API)
#define CS_GOLDEN_API
#endif

typedef struct cs_golden cs_golden;

/* Events that mcycle and minstret count; all others are numbers of mhpmevent. */
#define CS_GOLDEN_CYCLES 1
#define CS_GOLDEN_INSTRET 2
#define CS_GOLDEN_EVENTS 256 /* event numbers: 0 .. 255 */

/* Operations of a CSR instruction. */
enum { CS_GOLDEN_READ = 0, CS_GOLDEN_WRITE = 1, CS_GOLDEN_SET = 2, CS_GOLDEN_CLEAR = 3 };

/* In reset, in cycle 0. `settings`: words "name=number": xlen, modes, counters, width, sscofpmf,
 * smcntrpmf, smcdeleg, aia, lcofi_latency (docs/hw/hpm.md, section 1; all counters have one
 * width). NULL, as of settings that are NULL: refused, cs_golden_error says why. */
CS_GOLDEN_API cs_golden *cs_golden_create(const char *settings);
CS_GOLDEN_API void cs_golden_destroy(cs_golden *golden); /* NULL is allowed */
/* Of the last cs_golden_create of this thread that was refused. */
CS_GOLDEN_API const char *cs_golden_error(void);

/* What the core does in this cycle: its mode (0 U, 1 S, 3 M, 4 VU, 5 VS; kept until the next
 * call; M after reset), and the increments of events, 0 to 15 (0 for events that are not reported). */
CS_GOLDEN_API void cs_golden_mode(cs_golden *golden, unsigned mode);
CS_GOLDEN_API void cs_golden_event(cs_golden *golden, unsigned event, unsigned increment);
/* mtime of this cycle. */
CS_GOLDEN_API void cs_golden_time(cs_golden *golden, uint64_t time);

/* The CSR instruction of this cycle, at most one. Returns the old value, which it reads; 0 with an
 * exception. A write takes effect in the next cycle. */
CS_GOLDEN_API uint64_t cs_golden_access(cs_golden *golden, unsigned csr, unsigned op,
                                        uint64_t operand);
/* The exception of that access: 0 none, 1 illegal, 2 virtual instruction. */
CS_GOLDEN_API unsigned cs_golden_exception(const cs_golden *golden);

/* What a read in M mode would return in this cycle; has no effect. 0 if there is no such CSR. */
CS_GOLDEN_API uint64_t cs_golden_predict(cs_golden *golden, unsigned csr);
/* The interrupt lines of this cycle: bit 0 to M, 1 to S, 2 to VS. */
CS_GOLDEN_API unsigned cs_golden_irq(cs_golden *golden);

/* The cycle ends. Not 0: something went wrong, in this cycle or before, and cs_golden_failure says what:
 * an argument that is none of those above, a second access in a cycle, no memory. What the golden one
 * says from then on is worth nothing. */
CS_GOLDEN_API int cs_golden_step(cs_golden *golden);
/* The first failure, with its cycle; "": there was none. */
CS_GOLDEN_API const char *cs_golden_failure(const cs_golden *golden);
/* The cycle's number. */
CS_GOLDEN_API uint64_t cs_golden_cycle(const cs_golden *golden);

#ifdef __cplusplus
}
#endif

#endif
