#include "guest/imc/programs.h"

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest/imc/log.h"

/* Addresses that no other program of the guest has. */
#define PROGRAM_BASE 0x20000000u
#define PUT_BASE 0x21000000u
#define CODE_OFFSET 0x1000u
#define DATA_OFFSET 0x800u /* what functions load and store */
#define PUT_BUFFER (PUT_BASE + 0x100000u)
#define PUT_BYTES 0x4000u

/* Linux's system calls. */
#define SYS_EXIT 1
#define SYS_READ 3

#define ELF_V2 2u /* of e_flags */

/* ---- instructions ---- */

static uint32_t li(unsigned to, int value)
{
    return 0x38000000u | to << 21 | ((uint32_t)value & 0xffffu);
}

static uint32_t addi(unsigned to, unsigned from, int value)
{
    return li(to, value) | from << 16;
}

static uint32_t lis(unsigned to, uint32_t value)
{
    return 0x3c000000u | to << 21 | (value >> 16);
}

static uint32_t ori(unsigned to, unsigned from, uint32_t value)
{
    return 0x60000000u | from << 21 | to << 16 | (value & 0xffffu);
}

static uint32_t mr(unsigned to, unsigned from)
{
    return 0x7c000378u | from << 21 | to << 16 | from << 11;
}

static uint32_t ld(unsigned to, unsigned base, unsigned offset)
{
    return 0xe8000000u | to << 21 | base << 16 | offset;
}

static uint32_t std_(unsigned from, unsigned base, unsigned offset)
{
    return ld(from, base, offset) + (4u << 26);
}

static uint32_t cmpdi(unsigned reg, int value)
{
    return 0x2c200000u | reg << 16 | ((uint32_t)value & 0xffffu);
}

static uint32_t mtctr(unsigned from)
{
    return 0x7c0903a6u | from << 21;
}

static uint32_t bl(int offset)
{
    return 0x48000001u | ((uint32_t)offset & 0x03fffffcu);
}

static uint32_t branch(uint32_t kind, int offset)
{
    return kind | ((uint32_t)offset & 0xfffcu);
}

#define DATA 21u /* a register that functions leave alone */

#define SC 0x44000002u
#define BLR 0x4e800020u
#define BDNZ 0x42000000u
#define IF_NOT_GREATER 0x40810000u
#define IF_GREATER 0x41810000u
#define IF_SUMMARY 0x41830000u /* a system call failed */
#define ALWAYS 0x42800000u

/* ---- a file ---- */

typedef struct symbol {
    const char *name;
    size_t at, count; /* in instructions */
} symbol;

typedef struct program {
    uint32_t *code;
    size_t nr_code, most_code;
    symbol *symbols;
    size_t nr_symbols;
    uint64_t base;
    uint64_t memory; /* that it has from its base on */
} program;

static void emit(program *p, uint32_t word)
{
    if (p->nr_code < p->most_code)
        p->code[p->nr_code++] = word;
}

/* From the next instruction to that at `to`. */
static int back_to(const program *p, size_t to)
{
    return (int)(((long)to - (long)p->nr_code) * 4);
}

enum { NO_SECTION, TEXT, SYMBOLS, STRINGS, NAMES, NR_SECTIONS };

static const char section_names[] = "\0.text\0.symtab\0.strtab\0.shstrtab";
static const Elf64_Word section_name_at[] = {0, 1, 7, 15, 23};

static size_t strings_bytes(const program *p)
{
    size_t bytes = 1;

    for (size_t i = 0; i < p->nr_symbols; i++)
        bytes += strlen(p->symbols[i].name) + 1;
    return bytes;
}

static void put_symbols(const program *p, uint8_t *symbols, uint8_t *strings)
{
    size_t at = 1;

    for (size_t i = 0; i < p->nr_symbols; i++) {
        const symbol *s = &p->symbols[i];
        const Elf64_Sym sym = {.st_name = (Elf64_Word)at,
                               .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                               .st_shndx = TEXT,
                               .st_value = p->base + CODE_OFFSET + 4 * s->at,
                               .st_size = 4 * s->count};

        memcpy(symbols + (i + 1) * sizeof sym, &sym, sizeof sym);
        memcpy(strings + at, s->name, strlen(s->name) + 1);
        at += strlen(s->name) + 1;
    }
}

static void put_sections(const program *p, Elf64_Shdr s[NR_SECTIONS], const size_t at[NR_SECTIONS],
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
    s[TEXT].sh_addr = p->base + CODE_OFFSET;
    s[SYMBOLS].sh_link = STRINGS;
    s[SYMBOLS].sh_info = 1; /* the first that is global */
    s[SYMBOLS].sh_entsize = sizeof(Elf64_Sym);
}

static cs_status make_file(const program *p, uint8_t **elf, size_t *size, cs_diag *diag)
{
    const size_t bytes[NR_SECTIONS] = {0, 4 * p->nr_code, (p->nr_symbols + 1) * sizeof(Elf64_Sym),
                                       strings_bytes(p), sizeof section_names};
    size_t at[NR_SECTIONS] = {0, CODE_OFFSET};
    Elf64_Shdr sections[NR_SECTIONS] = {{0}};
    const Elf64_Phdr load = {.p_type = PT_LOAD,
                             .p_flags = PF_R | PF_W | PF_X,
                             .p_vaddr = p->base,
                             .p_paddr = p->base,
                             .p_filesz = CODE_OFFSET + bytes[TEXT],
                             .p_memsz = p->memory,
                             .p_align = 0x10000};
    size_t end = CODE_OFFSET + bytes[TEXT];

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
        .e_machine = EM_PPC64,
        .e_version = EV_CURRENT,
        .e_entry = p->base + CODE_OFFSET,
        .e_phoff = sizeof head,
        .e_shoff = end,
        .e_flags = ELF_V2,
        .e_ehsize = sizeof head,
        .e_phentsize = sizeof load,
        .e_phnum = 1,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = NR_SECTIONS,
        .e_shstrndx = NAMES};
    memcpy(*elf, &head, sizeof head);
    memcpy(*elf + sizeof head, &load, sizeof load);
    memcpy(*elf + CODE_OFFSET, p->code, bytes[TEXT]);
    put_symbols(p, *elf + at[SYMBOLS], *elf + at[STRINGS]);
    memcpy(*elf + at[NAMES], section_names, sizeof section_names);
    put_sections(p, sections, at, bytes);
    memcpy(*elf + end, sections, sizeof sections);
    return CS_OK;
}

/* ---- the programs ---- */

static void call_us(program *p, unsigned what)
{
    emit(p, li(3, (int)what));
    emit(p, CS_GUEST_CALL);
}

static void leave(program *p)
{
    emit(p, li(0, SYS_EXIT));
    emit(p, li(3, 0));
    emit(p, SC);
}

cs_status cs_power_make_put(uint8_t **elf, size_t *bytes, cs_diag *diag)
{
    uint32_t code[64];
    symbol start = {"_start", 0, 0};
    program p = {.code = code,
                 .most_code = 64,
                 .symbols = &start,
                 .nr_symbols = 1,
                 .base = PUT_BASE,
                 .memory = PUT_BUFFER - PUT_BASE + PUT_BYTES};

    emit(&p, ld(4, 1, 16)); /* argv[1] */
    call_us(&p, CS_GUEST_CALL_NAME);

    const size_t again = p.nr_code;
    emit(&p, li(0, SYS_READ));
    emit(&p, li(3, 0));
    emit(&p, lis(4, PUT_BUFFER));
    emit(&p, li(5, PUT_BYTES));
    emit(&p, SC);
    emit(&p, branch(IF_SUMMARY, 8 * 4));
    emit(&p, cmpdi(3, 0));
    emit(&p, branch(IF_NOT_GREATER, 6 * 4));
    emit(&p, mr(5, 3));
    emit(&p, lis(4, PUT_BUFFER)); /* a system call leaves it to nobody */
    call_us(&p, CS_GUEST_CALL_PUT);
    emit(&p, branch(ALWAYS, back_to(&p, again)));
    leave(&p);
    start.count = p.nr_code;
    return make_file(&p, elf, bytes, diag);
}

/* Where functions find their data; a first store, that none of theirs is interrupted. */
static void emit_data(program *p)
{
    emit(p, lis(DATA, PROGRAM_BASE));
    emit(p, std_(DATA, DATA, DATA_OFFSET));
}

static bool has_data(const cs_guest_spec *guest)
{
    for (size_t i = 0; i < guest->program.nr_functions; i++)
        if (guest->program.functions[i].loads + guest->program.functions[i].stores > 0)
            return true;
    return false;
}

static void emit_main(program *p, const cs_guest_spec *guest, size_t first_function)
{
    if (has_data(guest))
        emit_data(p);
    emit(p, lis(20, guest->program.rounds));
    emit(p, ori(20, 20, guest->program.rounds));

    const size_t again = p->nr_code;
    for (size_t i = 0; i < guest->program.nr_functions; i++) {
        const uint32_t loops = guest->program.functions[i].loops;

        emit(p, lis(5, loops));
        emit(p, ori(5, 5, loops));
        emit(p, bl(back_to(p, first_function + i * (CS_POWER_LOOP_INSTRUCTIONS + 2))));
    }
    emit(p, addi(20, 20, -1));
    emit(p, cmpdi(20, 0));
    emit(p, branch(IF_GREATER, back_to(p, again)));
    leave(p);
}

/* Of a loop before its branch. */
static uint32_t body(const cs_guest_function *of, unsigned nr)
{
    const unsigned reg = 6 + nr % 4, at = DATA_OFFSET + 8 * nr;

    if (nr < of->loads)
        return ld(reg, DATA, at);
    return nr < of->loads + of->stores ? std_(reg, DATA, at) : addi(reg, reg, 1);
}

cs_status cs_power_make_program(const cs_guest_spec *guest, uint8_t **elf, size_t *bytes,
                                cs_diag *diag)
{
    const size_t nr = guest->program.nr_functions;
    const size_t main_count = (has_data(guest) ? 2 : 0) + 2 + 3 * nr + 3 + 3;
    program p = {.most_code = main_count + nr * (CS_POWER_LOOP_INSTRUCTIONS + 2),
                 .nr_symbols = nr + 1,
                 .base = PROGRAM_BASE};
    cs_status status = CS_ERR_NO_MEMORY;

    p.code = calloc(p.most_code, sizeof *p.code);
    p.symbols = calloc(nr + 1, sizeof *p.symbols);
    if (p.code != NULL && p.symbols != NULL) {
        p.memory = CODE_OFFSET + 4 * p.most_code;
        p.symbols[0] = (symbol){"_start", 0, main_count};
        emit_main(&p, guest, main_count);
        for (size_t i = 0; i < nr; i++) {
            p.symbols[i + 1] = (symbol){guest->program.functions[i].name, p.nr_code,
                                        CS_POWER_LOOP_INSTRUCTIONS + 2};
            emit(&p, mtctr(5));
            for (unsigned k = 0; k < CS_GUEST_LOOP_BODY; k++)
                emit(&p, body(&guest->program.functions[i], k));
            emit(&p, branch(BDNZ, -4 * (int)CS_GUEST_LOOP_BODY));
            emit(&p, BLR);
        }
        status = make_file(&p, elf, bytes, diag);
    } else {
        cs_diag_set(diag, status, NULL, "a program of %zu functions", nr);
    }
    free(p.code);
    free(p.symbols);
    return status;
}
