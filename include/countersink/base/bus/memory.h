// SPDX-License-Identifier: Apache-2.0
/* Sparse physical memory: the full 64-bit space in pages of 4 KiB. What was
 * never written reads as 0. A page is allocated when it is first written. */
#ifndef CS_BASE_MEMORY_H
#define CS_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_MEMORY_PAGE_BYTES 4096u

typedef struct cs_memory cs_memory;

cs_status cs_memory_create(cs_memory **out, cs_diag *diag);

/* NULL is allowed. */
void cs_memory_destroy(cs_memory *mem);

/* Forgets all contents. */
void cs_memory_reset(cs_memory *mem);

/* Any address and length, in one page or many; past the top of the space an
 * access goes on at address 0. */
void cs_memory_read(const cs_memory *mem, uint64_t addr, size_t bytes, uint8_t *out);

/* Writes data[i] to addr + i where enables[i] is not 0; enables NULL: all.
 * CS_ERR_NO_MEMORY where a page could not be allocated: what lies before it is
 * written, the rest not. A write with no byte enabled touches nothing. */
cs_status cs_memory_write(cs_memory *mem, uint64_t addr, size_t bytes, const uint8_t *data,
                          const uint8_t *enables);

/* Adds to the big-endian 8-byte number at addr, modulo 2^64. Errors of cs_memory_write. */
cs_status cs_memory_add(cs_memory *mem, uint64_t addr, uint64_t value);

/* The number of touched pages. */
size_t cs_memory_pages(const cs_memory *mem);

/* The touched page number `index` in order of addresses: its address in *addr,
 * its CS_MEMORY_PAGE_BYTES bytes as result, valid until the next write or reset;
 * NULL where index is too large. (Takes mem without const: it sorts on demand.) */
const uint8_t *cs_memory_page(cs_memory *mem, size_t index, uint64_t *addr);

/* True where both memories read the same everywhere. Otherwise the first
 * address that differs, and the byte of each. The result pointers may be NULL. */
bool cs_memory_equal(cs_memory *a, cs_memory *b, uint64_t *addr, uint8_t *byte_a, uint8_t *byte_b);

/* Takes `bytes` bytes (1..CS_MEMORY_PAGE_BYTES); anything but CS_OK ends the save. */
typedef cs_status (*cs_memory_writer)(void *ctx, const uint8_t *data, size_t bytes);

/* Hands [addr, addr + bytes) to the writer in order, page by page, zeros
 * included. Returns CS_OK or what the writer returned. */
cs_status cs_memory_save(const cs_memory *mem, uint64_t addr, uint64_t bytes,
                         cs_memory_writer writer, void *ctx);

#ifdef __cplusplus
}
#endif

#endif
