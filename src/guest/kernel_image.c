// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "guest/kernel_image.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kernel has, one after the other, each from a multiple of 8 bytes on, or of 4 in newer ones:
 *   u32 number of symbols
 *   names: for each its length, one byte or two, and that many tokens; the first token is its type
 *   u32 markers: where in the names each 256th begins
 *   256 tokens: strings
 *   u16 where each of them begins
 *   s32 addresses of all symbols, which rise, less a base
 *   u64 base
 * In a newer one an address is s32 less the place of that number itself, and there is no base.
 * Tokens of the digits are the digits. */
#define TOKENS 256u
#define OLD 8u /* alignments, by which the two are told apart */
#define NEW 4u
#define LINKED UINT64_C(0xffffffff80000000) /* where the first byte of any RISC-V kernel is */
#define GROUP 256u                          /* symbols of a marker */
#define MOST_BYTES (UINT64_C(256) << 20)
#define MOST_NAME 512u

typedef struct image {
    const char *path;
    uint8_t *bytes;
    size_t size;
    size_t tokens, token[TOKENS]; /* where they are */
    size_t names, addresses, alignment;
    uint32_t nr; /* of symbols */
    uint64_t base;
} image;

static cs_status read_image(image *i, cs_diag *diag)
{
    FILE *file = fopen(i->path, "rb");
    long size = -1;

    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size < 0 || (uint64_t)size > MOST_BYTES) {
        const int why = errno;

        if (file != NULL)
            fclose(file);
        return cs_diag_set(diag, size < 0 ? CS_ERR_IO : CS_ERR_FORMAT, i->path, "%s",
                           size < 0 ? strerror(why) : "is too large for a kernel");
    }
    i->size = (size_t)size;
    i->bytes = malloc(i->size + 1);
    rewind(file);
    const bool good = i->bytes != NULL && fread(i->bytes, 1, i->size, file) == i->size;
    fclose(file);
    if (!good)
        return cs_diag_set(diag, i->bytes == NULL ? CS_ERR_NO_MEMORY : CS_ERR_IO, i->path,
                           "cannot be read");
    i->bytes[i->size] = '\0'; /* ends a string */
    return CS_OK;
}

static uint32_t word(const image *i, size_t at)
{
    uint32_t value = 0;

    if (at <= i->size && i->size - at >= sizeof value)
        memcpy(&value, i->bytes + at, sizeof value);
    return value;
}

static size_t aligned(const image *i, size_t at)
{
    return (at + i->alignment - 1) / i->alignment * i->alignment;
}

/* ---- finding the tables ---- */

/* Where tokens begin stands there. */
static bool is_index(const image *i, size_t at, size_t first)
{
    for (unsigned t = 0; t < TOKENS; t++)
        if ((word(i, at + 2 * t) & 0xffff) != i->token[t] - first)
            return false;
    return true;
}

/* Tokens begin here, and where they begin stands behind them. */
static bool take_tokens(image *i, size_t at, size_t alignment)
{
    size_t end = at;

    for (unsigned t = 0; t < TOKENS; t++) {
        if (end >= i->size)
            return false;
        i->token[t] = end;
        end += strlen((const char *)i->bytes + end) + 1;
    }
    i->alignment = alignment;
    end = aligned(i, end);
    if (!is_index(i, end, at))
        return false;
    i->tokens = at;
    i->addresses = aligned(i, end + 2 * TOKENS);
    return true;
}

/* The length of a name in tokens, and what it takes itself. */
static size_t length_at(const image *i, size_t at, unsigned *bytes)
{
    const size_t low = i->bytes[at];

    *bytes = (low & 0x80) != 0 ? 2 : 1;
    return (low & 0x80) != 0 ? (low & 0x7f) | (size_t)i->bytes[at + 1] << 7 : low;
}

/* Names begin here, and end at the markers, which agree. */
static bool fits(const image *i, size_t names, uint32_t nr, size_t markers)
{
    size_t at = names;

    for (uint32_t s = 0; s < nr; s++) {
        unsigned own;

        if (s % GROUP == 0 && word(i, markers + 4 * (size_t)(s / GROUP)) != at - names)
            return false;
        if (at + 2 > markers)
            return false;
        at += length_at(i, at, &own);
        at += own;
    }
    return at <= markers && aligned(i, at) == markers;
}

/* Markers rise from 0, and end where tokens begin. */
static bool find_names(image *i)
{
    size_t end = i->tokens / i->alignment * i->alignment, first;
    uint32_t count = 0, last;

    while (end >= 8 && word(i, end - 4) == 0)
        end -= 4;
    last = word(i, end - 4);
    for (first = end; first >= 4 && word(i, first - 4) != 0; first -= 4)
        if (first != end && word(i, first - 4) >= word(i, first))
            return false;
    if (first < 4)
        return false;
    first -= 4;
    count = (uint32_t)((end - first) / 4);
    /* The last group is no longer than its names can be. */
    const size_t most = last + GROUP * (MOST_NAME + 2);
    for (size_t names = first - (last < first ? last : first); first - names < most && names >= OLD;
         names--) {
        const uint32_t nr = word(i, names - i->alignment);

        if (names % i->alignment == 0 && nr > 0 && (nr + GROUP - 1) / GROUP == count &&
            fits(i, names, nr, first)) {
            i->names = names;
            i->nr = nr;
            return true;
        }
    }
    return false;
}

static bool find_all(image *i)
{
    static const char digits[] = "0\0001\0002\0003\0004\0005\0006\0007\0008\0009";
    const size_t length = sizeof digits;

    for (size_t at = 0; at + length < i->size; at++) {
        const uint8_t *found = memchr(i->bytes + at, '0', i->size - at - length);
        size_t first;

        if (found == NULL)
            return false;
        at = (size_t)(found - i->bytes);
        if (memcmp(found, digits, length) != 0)
            continue;
        /* As many tokens back as there are characters below '0'. */
        first = at;
        for (unsigned t = 0; t < '0' && first > 0; t++)
            for (first--; first > 0 && i->bytes[first - 1] != '\0';)
                first--;
        /* The place of the index may be that of either alignment; the names' is of one. */
        if ((take_tokens(i, first, OLD) && find_names(i)) ||
            (take_tokens(i, first, NEW) && find_names(i)))
            return true;
    }
    return false;
}

static cs_status find_tables(image *i, cs_diag *diag)
{
    if (!find_all(i))
        return cs_diag_set(
            diag, CS_ERR_FORMAT, i->path,
            "is neither an ELF file nor a kernel with a table of symbols (CONFIG_KALLSYMS)");
    const size_t at = aligned(i, i->addresses + 4 * (size_t)i->nr);

    if (at > i->size || (i->alignment == OLD && i->size - at < 8))
        return cs_diag_set(diag, CS_ERR_FORMAT, i->path, "ends in its table of symbols");
    i->base = word(i, at) | (uint64_t)word(i, at + 4) << 32;
    return CS_OK;
}

/* ---- writing ---- */

/* The name, without its type, which is returned. */
static char expand(const image *i, size_t at, size_t length, char name[MOST_NAME])
{
    size_t bytes = 0;

    for (size_t t = 0; t < length; t++)
        for (const uint8_t *c = i->bytes + i->token[i->bytes[at + t]]; *c != '\0'; c++)
            if (bytes < MOST_NAME - 1)
                name[bytes++] = (char)*c;
    name[bytes] = '\0';
    const char type = name[0];
    memmove(name, name + 1, bytes > 0 ? bytes : 1);
    return type;
}

static uint64_t address(const image *i, uint32_t symbol)
{
    const size_t at = i->addresses + 4 * (size_t)symbol;

    return i->alignment == OLD ? i->base + word(i, at)
                               : LINKED + at + (uint64_t)(int64_t)(int32_t)word(i, at);
}

/* A function goes on to the next symbol that is elsewhere. */
static uint64_t size_of(const image *i, uint32_t symbol)
{
    for (uint32_t next = symbol + 1; next < i->nr; next++)
        if (address(i, next) > address(i, symbol))
            return address(i, next) - address(i, symbol);
    return 0;
}

enum { NO_SECTION, TEXT, SYMBOLS, STRINGS, SECTIONS };

static bool put_symbols(const image *i, FILE *symbols, FILE *strings)
{
    size_t at = i->names;
    Elf64_Sym none = {0};

    fwrite(&none, sizeof none, 1, symbols);
    fputc('\0', strings);
    for (uint32_t s = 0; s < i->nr; s++) {
        char name[MOST_NAME];
        unsigned own;
        const size_t length = length_at(i, at, &own);
        const char type = expand(i, at + own, length, name);

        at += own + length;
        const unsigned kind = strchr("tTwW", type) != NULL     ? STT_FUNC
                              : strchr("bBdDrR", type) != NULL ? STT_OBJECT
                                                               : STT_NOTYPE;

        if (kind == STT_NOTYPE || name[0] == '\0' || size_of(i, s) == 0)
            continue;
        const Elf64_Sym symbol = {.st_name = (Elf64_Word)ftell(strings),
                                  .st_info = ELF64_ST_INFO(STB_GLOBAL, kind),
                                  .st_shndx = TEXT,
                                  .st_value = address(i, s),
                                  .st_size = size_of(i, s)};
        fwrite(&symbol, sizeof symbol, 1, symbols);
        fwrite(name, strlen(name) + 1, 1, strings);
    }
    return fflush(symbols) == 0 && fflush(strings) == 0 && !ferror(symbols) && !ferror(strings);
}

static cs_status write_elf(const image *i, const char *path, cs_diag *diag)
{
    char *of[SECTIONS] = {NULL};
    size_t bytes[SECTIONS] = {0};
    FILE *symbols = open_memstream(&of[SYMBOLS], &bytes[SYMBOLS]);
    FILE *strings = open_memstream(&of[STRINGS], &bytes[STRINGS]);
    const bool made = symbols != NULL && strings != NULL && put_symbols(i, symbols, strings);
    FILE *out = NULL;
    bool good = false;

    if (symbols != NULL)
        fclose(symbols);
    if (strings != NULL)
        fclose(strings);
    if (made) {
        const Elf64_Phdr load = {.p_type = PT_LOAD,
                                 .p_flags = PF_R | PF_X,
                                 .p_vaddr = i->base,
                                 .p_memsz = address(i, i->nr - 1) - i->base,
                                 .p_align = 0x1000};
        const size_t first = sizeof(Elf64_Ehdr) + sizeof load;
        const size_t end = (first + bytes[SYMBOLS] + bytes[STRINGS] + 7) / 8 * 8;
        const Elf64_Shdr sections[SECTIONS] = {[TEXT] = {.sh_type = SHT_NOBITS,
                                                         .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                                                         .sh_addr = i->base,
                                                         .sh_size = load.p_memsz},
                                               [SYMBOLS] = {.sh_type = SHT_SYMTAB,
                                                            .sh_offset = first,
                                                            .sh_size = bytes[SYMBOLS],
                                                            .sh_link = STRINGS,
                                                            .sh_info = 1,
                                                            .sh_entsize = sizeof(Elf64_Sym)},
                                               [STRINGS] = {.sh_type = SHT_STRTAB,
                                                            .sh_offset = first + bytes[SYMBOLS],
                                                            .sh_size = bytes[STRINGS]}};
        const Elf64_Ehdr head = {
            .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
            .e_type = ET_EXEC,
            .e_machine = EM_RISCV,
            .e_version = EV_CURRENT,
            .e_entry = i->base,
            .e_phoff = sizeof head,
            .e_shoff = end,
            .e_ehsize = sizeof head,
            .e_phentsize = sizeof load,
            .e_phnum = 1,
            .e_shentsize = sizeof(Elf64_Shdr),
            .e_shnum = SECTIONS,
            .e_shstrndx = STRINGS};

        out = fopen(path, "wb");
        good = out != NULL && fwrite(&head, sizeof head, 1, out) == 1 &&
               fwrite(&load, sizeof load, 1, out) == 1 &&
               fwrite(of[SYMBOLS], bytes[SYMBOLS], 1, out) == 1 &&
               fwrite(of[STRINGS], bytes[STRINGS], 1, out) == 1 &&
               fseek(out, (long)end, SEEK_SET) == 0 &&
               fwrite(sections, sizeof sections, 1, out) == 1;
    }
    if (out != NULL && fclose(out) != 0)
        good = false;
    free(of[SYMBOLS]);
    free(of[STRINGS]);
    return good ? CS_OK
                : cs_diag_set(diag, made ? CS_ERR_IO : CS_ERR_NO_MEMORY, path,
                              "cannot write the kernel's symbols: %s", strerror(errno));
}

cs_status cs_kernel_image_symbols(const char *path, const char *elf, cs_diag *diag)
{
    image i = {.path = path};
    cs_status status = read_image(&i, diag);

    if (status == CS_OK)
        status = find_tables(&i, diag);
    if (status == CS_OK)
        status = write_elf(&i, elf, diag);
    free(i.bytes);
    return status;
}
