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
 * width). NULL: the settings are refused (NULL always is), and cs_golden_error says why. */
CS_GOLDEN_API cs_golden *cs_golden_create(const char *settings);
CS_GOLDEN_API void cs_golden_destroy(cs_golden *golden); /* NULL is allowed */
/* Why the last cs_golden_create or cs_follow_create of this thread failed. */
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

/* What a read in M mode would return in this cycle; without side effects. 0 if there is no such CSR. */
CS_GOLDEN_API uint64_t cs_golden_predict(cs_golden *golden, unsigned csr);
/* The interrupt lines of this cycle: bit 0 to M, 1 to S, 2 to VS. */
CS_GOLDEN_API unsigned cs_golden_irq(cs_golden *golden);

/* Ends the cycle. Not 0: a call failed, in this cycle or before, and cs_golden_failure says why: an argument
 * outside the ranges above, a second access in one cycle, or no memory. From then on no answer is valid. */
CS_GOLDEN_API int cs_golden_step(cs_golden *golden);
/* The first failure, with its cycle; "" if there was none. */
CS_GOLDEN_API const char *cs_golden_failure(const cs_golden *golden);
/* The number of this cycle, from 0 on. */
CS_GOLDEN_API uint64_t cs_golden_cycle(const cs_golden *golden);

/* ---- at instructions ---- */

/* A golden block that follows what a core retires, as RVFI and RVVI report it. The instruction itself says whether
 * it accesses a counter's CSR, with which operand, and what it has read. docs/yours/retirement.md.
 *
 *     cs_follow *follow = cs_follow_create("xlen=32 modes=1 counters=0x18 width=40", 1);
 *
 *     for each cycle {
 *         cs_follow_event(follow, 7, loads);             wires of the core
 *         if (rvfi_valid)
 *             cs_follow_retire(follow, rvfi_order, rvfi_insn, ..);
 *         if (cs_follow_step(follow) != 0)
 *             puts(cs_follow_text(follow));              the instruction, and what it should have read
 *     } */
typedef struct cs_follow cs_follow;

#define CS_FOLLOW_LAG 63 /* cycles, at most */

/* `settings` as in cs_golden_create. `lag`: how many cycles after it accesses its CSR and is counted an instruction
 * is reported; at most CS_FOLLOW_LAG. Events are reported in the cycle in which they happen. NULL:
 * cs_golden_error says why. */
CS_GOLDEN_API cs_follow *cs_follow_create(const char *settings, unsigned lag);
CS_GOLDEN_API void cs_follow_destroy(cs_follow *follow); /* NULL is allowed */

/* These three are called before the first cycle. */
/* The value of a CSR that does not begin at 0. */
CS_GOLDEN_API void cs_follow_begin(cs_follow *follow, unsigned csr, uint64_t value);
/* Counters see `event` so many cycles after it is reported. */
CS_GOLDEN_API void cs_follow_late(cs_follow *follow, unsigned event, unsigned cycles);
/* A read of `counter` may lack what its event did in the last `cycles`, as in cores that count out of order; csrrs
 * and csrrc change the value that they have read. */
CS_GOLDEN_API void cs_follow_behind(cs_follow *follow, unsigned counter, unsigned cycles);

/* What happens in this cycle. */
/* An event, but not retired instructions, which are counted from cs_follow_retire. Cycles only where the increment
 * is not 1. */
CS_GOLDEN_API void cs_follow_event(cs_follow *follow, unsigned event, unsigned increment);
/* The interrupt lines as in cs_golden_irq; they are compared from the first call on. */
CS_GOLDEN_API void cs_follow_irq(cs_follow *follow, unsigned lines);
/* The mode by which events of this cycle are filtered, where the core has a wire for it. Without a call it is the
 * mode of the last instruction, until the next one. */
CS_GOLDEN_API void cs_follow_mode(cs_follow *follow, unsigned mode);
/* An instruction; several in one cycle in their order. `mode` as in cs_golden_mode; `trap` not 0: it did not
 * retire. */
CS_GOLDEN_API void cs_follow_retire(cs_follow *follow, uint64_t order, uint32_t insn, uint64_t pc,
                                    unsigned mode, unsigned trap, uint64_t rs1, uint64_t rd);
/* Ends the cycle. 0: nothing differs. 1: an instruction or an interrupt line differs, and cs_follow_text names it;
 * the golden block continues from what the core has read. -1: a report was impossible, and cs_follow_text says
 * which. */
CS_GOLDEN_API int cs_follow_step(cs_follow *follow);
CS_GOLDEN_API const char *cs_follow_text(const cs_follow *follow);

/* Totals so far: instructions, CSR instructions that were compared, differences. */
CS_GOLDEN_API uint64_t cs_follow_instructions(const cs_follow *follow);
CS_GOLDEN_API uint64_t cs_follow_compared(const cs_follow *follow);
CS_GOLDEN_API uint64_t cs_follow_differences(const cs_follow *follow);

#ifdef __cplusplus
}
#endif

#endif
