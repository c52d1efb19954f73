// SPDX-License-Identifier: Apache-2.0
/* The fields of IMC's registers and words, as first and last bit in POWER's numbering: for
 * the functions of base/bus/msb0.h, as in cs_msb0(ldbar, CS_LDBAR_ADDRESS). */
#ifndef CS_FORMATS_IMC_ABI_FIELDS_H
#define CS_FORMATS_IMC_ABI_FIELDS_H

/* LDBAR, the special purpose register of each thread. */
#define CS_LDBAR_ENABLE 0, 0
#define CS_LDBAR_TRACE 1, 1 /* 0 accumulation, 1 trace */
#define CS_LDBAR_RESERVED_2 2, 3
#define CS_LDBAR_SCOPE 4, 6
#define CS_LDBAR_RESERVED_7 7, 7
#define CS_LDBAR_ADDRESS 8, 50 /* bits 8:50 of the real address, in place */
#define CS_LDBAR_RESERVED_51 51, 63

/* TRACE_IMC_SCOM, a register of each core. */
#define CS_TRACE_SCOM_SAMPSEL 0, 1
#define CS_TRACE_SCOM_CPMC_LOAD 2, 33
#define CS_TRACE_SCOM_CPMC1SEL 34, 40
#define CS_TRACE_SCOM_CPMC2SEL 41, 47
#define CS_TRACE_SCOM_BUFFERSIZE 48, 50
#define CS_TRACE_SCOM_RESERVED_51 51, 63

/* Word 2 of a trace record: hypervisor and problem state on POWER10; where LPID and PID are
 * is this simulator's choice. */
#define CS_IMC_VAL_HVPR 0, 1
#define CS_IMC_VAL_LPID 20, 31
#define CS_IMC_VAL_PID 32, 63

/* Words of a trace record that hold less than 64 bits. */
#define CS_IMC_CPMC_COUNT 32, 63
#define CS_IMC_TB2_TIMEBASE 22, 63

#endif
