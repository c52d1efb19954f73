// SPDX-License-Identifier: Apache-2.0
#include <countersink/base/bus/memory.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define PAGE CS_MEMORY_PAGE_BYTES
#define FIRST_TABLE 256u

typedef struct page {
    uint64_t addr;
    uint8_t bytes[PAGE];
} page;

/* The address stands here, too: a look-up need not touch the page. */
typedef struct place {
    uint64_t addr;
    page *page; /* NULL: free */
} place;

struct cs_memory {
    place *table; /* open addressing; table_size is a power of two, at most half full */
    size_t table_size;
    page **pages; /* all of them, table_size / 2 places */
    size_t count;
    size_t sorted; /* how many of `pages`, from the first, are in order */
};

cs_status cs_memory_create(cs_memory **out, cs_diag *diag)
{
    cs_memory *mem = calloc(1, sizeof *mem);

    *out = NULL;
    if (mem != NULL) {
        mem->table_size = FIRST_TABLE;
        mem->table = calloc(FIRST_TABLE, sizeof *mem->table);
        mem->pages = calloc(FIRST_TABLE / 2, sizeof(page *));
    }
    if (mem == NULL || mem->table == NULL || mem->pages == NULL) {
        cs_memory_destroy(mem);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a physical memory");
    }
    *out = mem;
    return CS_OK;
}

void cs_memory_destroy(cs_memory *mem)
{
    if (mem == NULL)
        return;
    for (size_t i = 0; i < mem->count; i++)
        free(mem->pages[i]);
    free(mem->pages);
    free(mem->table);
    free(mem);
}

void cs_memory_reset(cs_memory *mem)
{
    for (size_t i = 0; i < mem->count; i++)
        free(mem->pages[i]);
    memset(mem->table, 0, mem->table_size * sizeof *mem->table);
    mem->count = 0;
    mem->sorted = 0;
}

/* ---- pages ---- */

/* The place of the page at addr, or the free one where it may be put. */
static place *place_of(place *table, size_t size, uint64_t addr)
{
    size_t at = (size_t)cs_hash_mix(addr / PAGE + 1) & (size - 1);

    while (table[at].page != NULL && table[at].addr != addr)
        at = (at + 1) & (size - 1);
    return &table[at];
}

static bool grow(cs_memory *mem)
{
    size_t size = 2 * mem->table_size;
    page **pages = realloc(mem->pages, size / 2 * sizeof(page *));

    if (pages == NULL)
        return false;
    mem->pages = pages;
    place *table = calloc(size, sizeof *table);
    if (table == NULL)
        return false;
    for (size_t i = 0; i < mem->count; i++)
        *place_of(table, size, pages[i]->addr) = (place){pages[i]->addr, pages[i]};
    free(mem->table);
    mem->table = table;
    mem->table_size = size;
    return true;
}

/* NULL where there is no memory. */
static page *touch(cs_memory *mem, uint64_t addr)
{
    place *to = place_of(mem->table, mem->table_size, addr);

    if (to->page != NULL)
        return to->page;
    if (mem->count == mem->table_size / 2) {
        if (!grow(mem))
            return NULL;
        to = place_of(mem->table, mem->table_size, addr);
    }
    page *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return NULL;
    fresh->addr = addr;
    *to = (place){addr, fresh};
    if (mem->sorted == mem->count && (mem->count == 0 || mem->pages[mem->count - 1]->addr < addr))
        mem->sorted++;
    mem->pages[mem->count++] = fresh;
    return fresh;
}

/* ---- access ---- */

static size_t within_page(uint64_t addr, size_t bytes)
{
    size_t left = PAGE - (size_t)(addr % PAGE);

    return bytes < left ? bytes : left;
}

void cs_memory_read(const cs_memory *mem, uint64_t addr, size_t bytes, uint8_t *out)
{
    while (bytes > 0) {
        size_t here = within_page(addr, bytes);
        const page *from = place_of(mem->table, mem->table_size, addr - addr % PAGE)->page;
        if (from != NULL)
            memcpy(out, from->bytes + addr % PAGE, here);
        else
            memset(out, 0, here);
        addr += here;
        out += here;
        bytes -= here;
    }
}

static bool any_enabled(const uint8_t *enables, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (enables[i] != 0)
            return true;
    return false;
}

cs_status cs_memory_write(cs_memory *mem, uint64_t addr, size_t bytes, const uint8_t *data,
                          const uint8_t *enables)
{
    while (bytes > 0) {
        size_t here = within_page(addr, bytes);
        if (enables == NULL || any_enabled(enables, here)) {
            page *to = touch(mem, addr - addr % PAGE);
            if (to == NULL)
                return CS_ERR_NO_MEMORY;
            uint8_t *bytes_out = to->bytes + addr % PAGE;
            if (enables == NULL) {
                memcpy(bytes_out, data, here);
                /* Hardware that writes records writes the next one behind this. */
                __builtin_prefetch(bytes_out + 2 * here - 1, 1);
            } else {
                for (size_t i = 0; i < here; i++)
                    bytes_out[i] = enables[i] != 0 ? data[i] : bytes_out[i];
            }
        }
        addr += here;
        data += here;
        if (enables != NULL)
            enables += here;
        bytes -= here;
    }
    return CS_OK;
}

/* ---- as a whole ---- */

cs_status cs_memory_add(cs_memory *mem, uint64_t addr, uint64_t value)
{
    uint8_t bytes[8];

    cs_memory_read(mem, addr, sizeof bytes, bytes);
    for (unsigned i = 0; i < sizeof bytes; i++)
        value += (uint64_t)bytes[i] << (56 - 8 * i);
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(value >> (56 - 8 * i));
    return cs_memory_write(mem, addr, sizeof bytes, bytes, NULL);
}

size_t cs_memory_pages(const cs_memory *mem)
{
    return mem->count;
}

static int by_address(const void *a, const void *b)
{
    uint64_t addr_a = (*(page *const *)a)->addr;
    uint64_t addr_b = (*(page *const *)b)->addr;

    return (addr_a > addr_b) - (addr_a < addr_b);
}

const uint8_t *cs_memory_page(cs_memory *mem, size_t index, uint64_t *addr)
{
    if (index >= mem->count)
        return NULL;
    if (mem->sorted < mem->count) {
        qsort(mem->pages, mem->count, sizeof(page *), by_address);
        mem->sorted = mem->count;
    }
    *addr = mem->pages[index]->addr;
    return mem->pages[index]->bytes;
}

bool cs_memory_equal(cs_memory *a, cs_memory *b, uint64_t *addr, uint8_t *byte_a, uint8_t *byte_b)
{
    static const uint8_t zeros[PAGE] = {0};
    size_t index_a = 0;
    size_t index_b = 0;

    for (;;) {
        uint64_t addr_a = 0;
        uint64_t addr_b = 0;
        const uint8_t *page_a = cs_memory_page(a, index_a, &addr_a);
        const uint8_t *page_b = cs_memory_page(b, index_b, &addr_b);
        if (page_a == NULL && page_b == NULL)
            return true;
        /* The lower page first; where the other has none it reads as zeros. */
        bool take_a = page_a != NULL && (page_b == NULL || addr_a <= addr_b);
        bool take_b = page_b != NULL && (page_a == NULL || addr_b <= addr_a);
        uint64_t at = take_a ? addr_a : addr_b;
        const uint8_t *bytes_a = take_a ? page_a : zeros;
        const uint8_t *bytes_b = take_b ? page_b : zeros;
        index_a += take_a;
        index_b += take_b;
        if (memcmp(bytes_a, bytes_b, PAGE) == 0)
            continue;

        size_t i = 0;
        while (bytes_a[i] == bytes_b[i])
            i++;
        if (addr != NULL)
            *addr = at + i;
        if (byte_a != NULL)
            *byte_a = bytes_a[i];
        if (byte_b != NULL)
            *byte_b = bytes_b[i];
        return false;
    }
}

cs_status cs_memory_save(const cs_memory *mem, uint64_t addr, uint64_t bytes,
                         cs_memory_writer writer, void *ctx)
{
    uint8_t buffer[PAGE];

    while (bytes > 0) {
        size_t here = within_page(addr, bytes < PAGE ? (size_t)bytes : PAGE);
        cs_memory_read(mem, addr, here, buffer);
        cs_status status = writer(ctx, buffer, here);
        if (status != CS_OK)
            return status;
        addr += here;
        bytes -= here;
    }
    return CS_OK;
}
