// SPDX-License-Identifier: Apache-2.0
#include "guest/hpm/plugin/bare.h"

#include <inttypes.h>
#include <string.h>

#include "guest/log.h"

#define PATH_BYTES 5000

/* QEMU's test device, as of SiFive: 16 bits of what, and 16 of status. */
#define TEST UINT64_C(0x100000)
#define TEST_FAIL 0x3333u
#define TEST_PASS 0x5555u
#define TEST_RESET 0x7777u

static bool ends_test(uint64_t value, unsigned *status)
{
    const unsigned what = value & 0xffff, more = value >> 16 & 0xffff;

    if (what != TEST_FAIL && what != TEST_PASS && what != TEST_RESET)
        return false;
    *status = what == TEST_PASS ? 0 : more != 0 ? more : 1;
    return true;
}

bool bare_ends(const bare *b, uint64_t address, uint64_t value, unsigned size, unsigned *status)
{
    if (address == TEST && size >= 2)
        return ends_test(value, status);
    if (b->tohost == 0 || address != b->tohost || size < 4 || (value & 1) == 0)
        return false;
    *status = (unsigned)(value >> 1);
    return true;
}

static FILE *create(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    const int bytes = snprintf(path, sizeof path, "%s/%s%s", folder, CS_GUEST_OUT, name);

    return bytes > 0 && bytes < PATH_BYTES ? fopen(path, "wb") : NULL;
}

static bool put_signature(const uint8_t *at, uint64_t bytes, const char *folder)
{
    FILE *out = create(folder, "signature");

    for (uint64_t i = 0; out != NULL && i + 4 <= bytes; i += 4)
        fprintf(out, "%02x%02x%02x%02x\n", at[i + 3], at[i + 2], at[i + 1], at[i]);
    const bool bad = out == NULL || ferror(out) != 0;

    return out != NULL && fclose(out) == 0 && !bad;
}

bool bare_put(const bare *b, const bridge_memory *memory, uint64_t memory_at, const char *folder,
              unsigned status)
{
    const uint64_t at = b->signature_at - memory_at, bytes = b->end - b->signature_at;
    FILE *out = create(folder, "status");

    if (out == NULL || fprintf(out, "%u\n", status) < 0 || fclose(out) != 0)
        return false;
    if (bytes == 0)
        return true;
    return memory->bytes != NULL && at < memory->size && bytes <= memory->size - at &&
           put_signature(memory->bytes + at, bytes, folder);
}
