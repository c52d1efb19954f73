// SPDX-License-Identifier: Apache-2.0
#include "guest/made.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

void cs_made_emit(cs_made *p, uint32_t word)
{
    if (p->nr_code < p->most_code)
        p->code[p->nr_code++] = word;
}

int cs_made_back_to(const cs_made *p, size_t to)
{
    return (int)(((long)to - (long)p->nr_code) * 4);
}

enum { NO_SECTION, TEXT, SYMBOLS, STRINGS, NAMES, NR_SECTIONS };

static const char section_names[] = "\0.text\0.symtab\0.strtab\0.shstrtab";
static const Elf64_Word section_name_at[] = {0, 1, 7, 15, 23};

static size_t strings_bytes(const cs_made *p)
{
    size_t bytes = 1;

    for (size_t i = 0; i < p->nr_symbols; i++)
        bytes += strlen(p->symbols[i].name) + 1;
    return bytes;
}

static void put_symbols(const cs_made *p, uint8_t *symbols, uint8_t *strings)
{
    size_t at = 1;

    for (size_t i = 0; i < p->nr_symbols; i++) {
        const cs_made_symbol *s = &p->symbols[i];
        const Elf64_Sym sym = {.st_name = (Elf64_Word)at,
                               .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                               .st_shndx = TEXT,
                               .st_value = p->base + CS_MADE_CODE_OFFSET + 4 * s->at,
                               .st_size = 4 * s->count};

        memcpy(symbols + (i + 1) * sizeof sym, &sym, sizeof sym);
        memcpy(strings + at, s->name, strlen(s->name) + 1);
        at += strlen(s->name) + 1;
    }
}

static void put_sections(const cs_made *p, Elf64_Shdr s[NR_SECTIONS], const size_t at[NR_SECTIONS],
                         const size_t bytes[NR_SECTIONS])
{
    static const Elf64_Word types[] = {SHT_NULL, SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB, SHT_STRTAB};

    for (unsigned i = 1; i < NR_SECTIONS; i++)
        s[i] = (Elf64_Shdr){.sh_name = section_name_at[i],
                            .sh_type = types[i],
                            .sh_offset = at[i],
                            .sh_size = bytes[i],
                            .sh_addralign = 8};
    s[TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    s[TEXT].sh_addr = p->base + CS_MADE_CODE_OFFSET;
    s[SYMBOLS].sh_link = STRINGS;
    s[SYMBOLS].sh_info = 1; /* the first that is global */
    s[SYMBOLS].sh_entsize = sizeof(Elf64_Sym);
}

cs_status cs_made_file(const cs_made *p, uint8_t **elf, size_t *size, cs_diag *diag)
{
    const size_t bytes[NR_SECTIONS] = {0, 4 * p->nr_code, (p->nr_symbols + 1) * sizeof(Elf64_Sym),
                                       strings_bytes(p), sizeof section_names};
    size_t at[NR_SECTIONS] = {0, CS_MADE_CODE_OFFSET};
    Elf64_Shdr sections[NR_SECTIONS] = {{0}};
    const Elf64_Phdr load = {.p_type = PT_LOAD,
                             .p_flags = PF_R | PF_W | PF_X,
                             .p_vaddr = p->base,
                             .p_paddr = p->base,
                             .p_filesz = CS_MADE_CODE_OFFSET + bytes[TEXT],
                             .p_memsz = p->memory,
                             .p_align = 0x10000};
    size_t end = CS_MADE_CODE_OFFSET + bytes[TEXT];

    for (unsigned i = SYMBOLS; i < NR_SECTIONS; i++) {
        at[i] = (end + 7) / 8 * 8;
        end = at[i] + bytes[i];
    }
    end = (end + 7) / 8 * 8;
    *size = end + sizeof sections;
    *elf = calloc(1, *size);
    if (*elf == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "a program of %zu bytes", *size);

    const Elf64_Ehdr head = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC,
        .e_machine = p->machine,
        .e_version = EV_CURRENT,
        .e_entry = p->base + CS_MADE_CODE_OFFSET,
        .e_phoff = sizeof head,
        .e_shoff = end,
        .e_flags = p->flags,
        .e_ehsize = sizeof head,
        .e_phentsize = sizeof load,
        .e_phnum = 1,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = NR_SECTIONS,
        .e_shstrndx = NAMES};
    memcpy(*elf, &head, sizeof head);
    memcpy(*elf + sizeof head, &load, sizeof load);
    memcpy(*elf + CS_MADE_CODE_OFFSET, p->code, bytes[TEXT]);
    put_symbols(p, *elf + at[SYMBOLS], *elf + at[STRINGS]);
    memcpy(*elf + at[NAMES], section_names, sizeof section_names);
    put_sections(p, sections, at, bytes);
    memcpy(*elf + end, sections, sizeof sections);
    return CS_OK;
}
