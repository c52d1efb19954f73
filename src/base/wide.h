// SPDX-License-Identifier: Apache-2.0
/* 128 bits, for products of two cycles or counts. */
#ifndef CS_BASE_WIDE_H
#define CS_BASE_WIDE_H

#include <stdint.h>

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 cs_u128;
#else
#error "Countersink needs a 64-bit host: there is no __int128 (docs/yours/rely.md, Hosts)"
typedef uint64_t cs_u128; /* so that no other error follows */
#endif

#endif
