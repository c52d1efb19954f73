// SPDX-License-Identifier: Apache-2.0
/* Names of functions that no program has: a folder that perf takes for the root of all files (--symfs), in
 * which each mapping without a file is an ELF file of symbols, and each program a link to it. */
#define _XOPEN_SOURCE 700
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/room.h"
#include "traces/common/symbols.h"
#include "traces/perf/impl.h"

typedef struct symfs {
    const cs_trace_symbols *symbols;
    const cs_trace_tasks *tasks;
    bool guest;
    uint16_t machine;
    char folder[PATH_MAX];
    cs_diag *diag;
} symfs;

static cs_status failed(const symfs *s, const char *name)
{
    return cs_diag_set(s->diag, CS_ERR_IO, name, "cannot write: %s", strerror(errno));
}

/* ---- what is in a file ---- */

/* Of all processes that have mapped it. */
typedef struct content {
    uint64_t begin, end;
    const cs_trace_symbol **symbols; /* by rising base */
    size_t nr, room;
} content;

static bool is_in(const symfs *f, const cs_trace_symbol *s, const cs_trace_mapping *map)
{
    return s->space.guest == f->guest && s->space.kernel == map->kernel &&
           s->space.pid == map->pid && s->base >= map->addr && s->base - map->addr < map->length;
}

static bool add_symbols(const symfs *f, const cs_trace_mapping *map, content *c)
{
    for (size_t i = 0; i < f->symbols->nr; i++) {
        const cs_trace_symbol *symbol = &f->symbols->list[i];
        size_t at = c->nr;

        if (!is_in(f, symbol, map))
            continue;
        while (at > 0 && c->symbols[at - 1]->base > symbol->base)
            at--;
        if (at > 0 && c->symbols[at - 1]->base == symbol->base)
            continue; /* another process has it, too */
        const cs_trace_symbol **moved = cs_room(c->symbols, &c->room, c->nr, sizeof *c->symbols);
        if (moved == NULL)
            return false;
        c->symbols = moved;
        memmove(&moved[at + 1], &moved[at], (c->nr++ - at) * sizeof *moved);
        moved[at] = symbol;
    }
    return true;
}

static bool collect(const symfs *f, const char *file, content *out)
{
    *out = (content){.begin = UINT64_MAX};
    for (size_t i = 0; i < f->tasks->nr_mappings; i++) {
        const cs_trace_mapping *map = &f->tasks->mappings[i];

        if (map->program != NULL || strcmp(map->file, file) != 0)
            continue;
        out->begin = map->addr < out->begin ? map->addr : out->begin;
        out->end = map->addr + map->length > out->end ? map->addr + map->length : out->end;
        if (!add_symbols(f, map, out))
            return false;
    }
    return true;
}

/* ---- the file ---- */

enum { NONE, TEXT, SYMBOLS, STRINGS, TITLES, NR_SECTIONS };

static const char titles[] = "\0.text\0.symtab\0.strtab\0.shstrtab";

/* Sizes and places of its parts, in the order of the file: header, segment, sections, symbols, names, titles. */
typedef struct layout {
    uint64_t segment, sections, symbols, symbols_bytes, strings, strings_bytes, titles;
} layout;

static layout lay_out(const content *c)
{
    layout at = {.segment = sizeof(Elf64_Ehdr), .strings_bytes = 1};

    for (size_t i = 0; i < c->nr; i++)
        at.strings_bytes += strlen(c->symbols[i]->name) + 1;
    at.sections = at.segment + sizeof(Elf64_Phdr);
    at.symbols = at.sections + NR_SECTIONS * sizeof(Elf64_Shdr);
    at.symbols_bytes = (c->nr + 1) * sizeof(Elf64_Sym);
    at.strings = at.symbols + at.symbols_bytes;
    at.titles = at.strings + at.strings_bytes;
    return at;
}

/* The code itself is nowhere: it would be where it is mapped, so that an address is a place in the file. */
static void put_head(const symfs *f, const content *c, const layout *at, FILE *out)
{
    const Elf64_Ehdr head = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_DYN,
        .e_machine = f->machine,
        .e_version = EV_CURRENT,
        .e_phoff = at->segment,
        .e_shoff = at->sections,
        .e_ehsize = sizeof(Elf64_Ehdr),
        .e_phentsize = sizeof(Elf64_Phdr),
        .e_phnum = 1,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = NR_SECTIONS,
        .e_shstrndx = TITLES};
    const Elf64_Phdr segment = {.p_type = PT_LOAD,
                                .p_flags = PF_R | PF_X,
                                .p_offset = c->begin,
                                .p_vaddr = c->begin,
                                .p_paddr = c->begin,
                                .p_memsz = c->end - c->begin};
    const Elf64_Shdr sections[NR_SECTIONS] = {[TEXT] = {.sh_name = 1,
                                                        .sh_type = SHT_NOBITS,
                                                        .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                                                        .sh_addr = c->begin,
                                                        .sh_offset = c->begin,
                                                        .sh_size = c->end - c->begin,
                                                        .sh_addralign = 1},
                                              [SYMBOLS] = {.sh_name = 7,
                                                           .sh_type = SHT_SYMTAB,
                                                           .sh_offset = at->symbols,
                                                           .sh_size = at->symbols_bytes,
                                                           .sh_link = STRINGS,
                                                           .sh_info = 1,
                                                           .sh_addralign = 8,
                                                           .sh_entsize = sizeof(Elf64_Sym)},
                                              [STRINGS] = {.sh_name = 15,
                                                           .sh_type = SHT_STRTAB,
                                                           .sh_offset = at->strings,
                                                           .sh_size = at->strings_bytes,
                                                           .sh_addralign = 1},
                                              [TITLES] = {.sh_name = 23,
                                                          .sh_type = SHT_STRTAB,
                                                          .sh_offset = at->titles,
                                                          .sh_size = sizeof titles,
                                                          .sh_addralign = 1}};

    fwrite(&head, sizeof head, 1, out);
    fwrite(&segment, sizeof segment, 1, out);
    fwrite(sections, sizeof sections, 1, out);
}

static void put_symbols(const content *c, FILE *out)
{
    const Elf64_Sym none = {0};
    uint32_t name = 1;

    fwrite(&none, sizeof none, 1, out);
    for (size_t i = 0; i < c->nr; i++) {
        const cs_trace_symbol *s = c->symbols[i];
        const Elf64_Sym symbol = {.st_name = name,
                                  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                  .st_shndx = TEXT,
                                  .st_value = s->base,
                                  .st_size = s->end - s->base};

        fwrite(&symbol, sizeof symbol, 1, out);
        name += (uint32_t)strlen(s->name) + 1;
    }
    fputc('\0', out);
    for (size_t i = 0; i < c->nr; i++)
        fwrite(c->symbols[i]->name, strlen(c->symbols[i]->name) + 1, 1, out);
    fwrite(titles, sizeof titles, 1, out);
}

static cs_status put_file(const symfs *f, const char *name)
{
    char path[PATH_MAX];
    content c;
    cs_status status = CS_OK;

    if (snprintf(path, sizeof path, "%s/%s", f->folder, name) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return failed(f, name);
    }
    if (collect(f, name, &c)) {
        const layout at = lay_out(&c);
        FILE *out = fopen(path, "w");
        bool bad = out == NULL;

        if (out != NULL) {
            put_head(f, &c, &at, out);
            put_symbols(&c, out);
            bad = ferror(out) != 0;
            bad |= fclose(out) != 0;
        }
        status = bad ? failed(f, name) : CS_OK;
    } else {
        status = cs_diag_set(f->diag, CS_ERR_NO_MEMORY, NULL, "no memory for names of functions");
    }
    free(c.symbols);
    return status;
}

/* ---- programs ---- */

/* perf looks for it at its path below the root. */
static cs_status put_link(const symfs *f, const char *program)
{
    char path[PATH_MAX];

    if (*program != '/' ||
        snprintf(path, sizeof path, "%s%s", f->folder, program) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return failed(f, program);
    }
    for (char *end = path + strlen(f->folder) + 1; (end = strchr(end, '/')) != NULL; end++) {
        *end = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return failed(f, path);
        *end = '/';
    }
    return symlink(program, path) == 0 ? CS_OK : failed(f, program);
}

/* ---- all of them ---- */

static bool is_first(const cs_trace_tasks *tasks, size_t nr)
{
    for (size_t i = 0; i < nr; i++)
        if (strcmp(tasks->mappings[i].file, tasks->mappings[nr].file) == 0)
            return false;
    return true;
}

/* As perf's header names it. */
static uint16_t machine_of(const char *arch)
{
    return strcmp(arch, "aarch64") == 0   ? EM_AARCH64
           : strcmp(arch, "riscv64") == 0 ? EM_RISCV
           : strcmp(arch, "ppc64le") == 0 ? EM_PPC64
                                          : EM_NONE;
}

cs_status cs_perf_trace_put_symfs(const cs_perf_trace *t, const cs_trace_tasks *tasks,
                                  const char *arch, const char *folder, cs_diag *diag)
{
    symfs f = {.tasks = tasks, .guest = t->guest, .machine = machine_of(arch), .diag = diag};
    cs_trace_symbols *symbols = NULL;
    cs_status status;

    if (tasks->nr_mappings == 0)
        return CS_OK;
    status = cs_trace_symbols_create(t->scenario, &symbols, diag);
    f.symbols = symbols;
    snprintf(f.folder, sizeof f.folder, "%s" CS_TRACE_SYMFS, folder);
    if (status == CS_OK && mkdir(f.folder, 0777) != 0)
        status = failed(&f, f.folder);
    for (size_t i = 0; i < tasks->nr_mappings && status == CS_OK; i++)
        if (is_first(tasks, i))
            status = tasks->mappings[i].program != NULL ? put_link(&f, tasks->mappings[i].file)
                                                        : put_file(&f, tasks->mappings[i].file);
    cs_trace_symbols_destroy(symbols);
    return status;
}
