// SPDX-License-Identifier: Apache-2.0
/* The layout of a record of IMC's trace mode: eight big-endian words (docs/hw/imc.md). Fields of words are in
 * fields.h. */
#ifndef CS_FORMATS_IMC_ABI_RECORD_H
#define CS_FORMATS_IMC_ABI_RECORD_H

#define CS_IMC_TRACE_RECORD_BYTES 64u
#define CS_IMC_TRACE_COUNTERS 4u
#define CS_IMC_TRACE_BUFFER_BYTES 0x40000u /* the catalog's, 4096 records */

/* Offsets of the words. */
#define CS_IMC_RECORD_TB1 0u
#define CS_IMC_RECORD_IP 8u
#define CS_IMC_RECORD_VAL 16u
#define CS_IMC_RECORD_CPMC 24u /* the first of the counters */
#define CS_IMC_RECORD_TB2 56u

#endif
