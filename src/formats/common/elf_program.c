// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "formats/common/elf_program.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/room.h"

struct cs_elf_program {
    int fd;
    Elf *elf; /* owns the names */
    bool moves;
    cs_elf_text texts[CS_ELF_MOST_TEXTS];
    unsigned nr_texts;
    uint8_t build_id[CS_ELF_MOST_BUILD_ID_BYTES];
    unsigned build_id_bytes;
    cs_elf_symbol *symbols, *labels;
    size_t nr_symbols, room, nr_labels, room_labels;
    bool no_memory;
};

/* ---- segments ---- */

static void read_build_id(cs_elf_program *p, const GElf_Phdr *phdr)
{
    Elf_Data *data = elf_getdata_rawchunk(p->elf, (int64_t)phdr->p_offset, phdr->p_filesz,
                                          phdr->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
    size_t at = 0, name, desc;
    GElf_Nhdr note;

    while (data != NULL && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
        const char *bytes = data->d_buf;

        if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || note.n_descsz == 0 ||
            memcmp(bytes + name, "GNU", 4) != 0)
            continue;
        p->build_id_bytes =
            note.n_descsz < CS_ELF_MOST_BUILD_ID_BYTES ? note.n_descsz : CS_ELF_MOST_BUILD_ID_BYTES;
        memcpy(p->build_id, bytes + desc, p->build_id_bytes);
        return;
    }
}

static void read_segments(cs_elf_program *p)
{
    size_t nr = 0;

    if (elf_getphdrnum(p->elf, &nr) != 0)
        return;
    for (size_t i = 0; i < nr; i++) {
        GElf_Phdr phdr;

        if (gelf_getphdr(p->elf, (int)i, &phdr) == NULL)
            continue;
        if (phdr.p_type == PT_NOTE && p->build_id_bytes == 0)
            read_build_id(p, &phdr);
        if (phdr.p_type == PT_LOAD && (phdr.p_flags & PF_X) != 0 && phdr.p_memsz != 0 &&
            p->nr_texts < CS_ELF_MOST_TEXTS)
            p->texts[p->nr_texts++] = (cs_elf_text){phdr.p_vaddr, phdr.p_memsz, phdr.p_offset};
    }
}

/* ---- symbols ---- */

static void add_symbol(cs_elf_program *p, const char *name, const GElf_Sym *symbol)
{
    cs_elf_symbol *symbols = cs_room(p->symbols, &p->room, p->nr_symbols, sizeof *symbols);

    if (symbols == NULL) {
        p->no_memory = true;
        return;
    }
    p->symbols = symbols;
    p->symbols[p->nr_symbols++] = (cs_elf_symbol){name, symbol->st_value, symbol->st_size};
}

static void add_label(cs_elf_program *p, const char *name, const GElf_Sym *symbol)
{
    Elf_Scn *section = elf_getscn(p->elf, symbol->st_shndx);
    cs_elf_symbol *labels;
    GElf_Shdr header;

    if (symbol->st_value == 0 || symbol->st_shndx >= SHN_LORESERVE || section == NULL ||
        gelf_getshdr(section, &header) == NULL || (header.sh_flags & SHF_EXECINSTR) == 0)
        return;
    labels = cs_room(p->labels, &p->room_labels, p->nr_labels, sizeof *labels);
    if (labels == NULL) {
        p->no_memory = true;
        return;
    }
    p->labels = labels;
    p->labels[p->nr_labels++] = (cs_elf_symbol){name, symbol->st_value, 0};
}

static void read_symbols(cs_elf_program *p, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym symbol;

    for (int i = 0; data != NULL && gelf_getsym(data, i, &symbol) != NULL; i++) {
        const char *name = elf_strptr(p->elf, header->sh_link, symbol.st_name);
        const int type = GELF_ST_TYPE(symbol.st_info);

        if (symbol.st_shndx == SHN_UNDEF || name == NULL || *name == '\0')
            continue;
        if ((type == STT_FUNC || type == STT_GNU_IFUNC) && symbol.st_size != 0)
            add_symbol(p, name, &symbol);
        else if ((type == STT_FUNC || type == STT_NOTYPE) && symbol.st_size == 0)
            add_label(p, name, &symbol);
    }
}

static void read_tables(cs_elf_program *p)
{
    for (Elf_Scn *s = elf_nextscn(p->elf, NULL); s != NULL; s = elf_nextscn(p->elf, s)) {
        GElf_Shdr header;

        if (gelf_getshdr(s, &header) != NULL &&
            (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
            read_symbols(p, s, &header);
    }
}

/* ---- open, close ---- */

static cs_status read_all(cs_elf_program *p, const char *path, cs_diag *diag)
{
    GElf_Ehdr header;

    elf_version(EV_CURRENT);
    p->elf = elf_begin(p->fd, ELF_C_READ, NULL);
    if (p->elf == NULL || elf_kind(p->elf) != ELF_K_ELF || gelf_getehdr(p->elf, &header) == NULL)
        return cs_diag_set(diag, CS_ERR_FORMAT, path, "is not an ELF file");
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return cs_diag_set(diag, CS_ERR_FORMAT, path,
                           "is not a linked program or library (ELF type %u)", header.e_type);
    p->moves = header.e_type == ET_DYN;
    errno = 0;
    read_segments(p);
    read_tables(p);
    if (p->no_memory || errno == ENOMEM) /* libelf passes over what it has no memory for */
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, path, "no memory for its symbols");
    if (p->nr_texts == 0)
        return cs_diag_set(diag, CS_ERR_FORMAT, path, "has no segment that can be executed");
    if (p->nr_symbols == 0)
        return cs_diag_set(diag, CS_ERR_FORMAT, path,
                           "has no functions among its symbols (stripped?)");
    return CS_OK;
}

cs_status cs_elf_program_open(const char *path, cs_elf_program **out, cs_diag *diag)
{
    cs_elf_program *p = calloc(1, sizeof *p);
    cs_status status;

    *out = NULL;
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, path, "no memory for a program");
    p->fd = open(path, O_RDONLY);
    if (p->fd < 0)
        status = cs_diag_set(diag, CS_ERR_IO, path, "cannot be opened: %s", strerror(errno));
    else
        status = read_all(p, path, diag);
    if (status != CS_OK) {
        cs_elf_program_close(p);
        return status;
    }
    *out = p;
    return CS_OK;
}

void cs_elf_program_close(cs_elf_program *p)
{
    if (p == NULL)
        return;
    if (p->elf != NULL)
        elf_end(p->elf);
    if (p->fd >= 0)
        close(p->fd);
    free(p->symbols);
    free(p->labels);
    free(p);
}

/* ---- what there is ---- */

bool cs_elf_program_moves(const cs_elf_program *p)
{
    return p->moves;
}

const cs_elf_text *cs_elf_program_texts(const cs_elf_program *p, unsigned *nr)
{
    *nr = p->nr_texts;
    return p->texts;
}

const uint8_t *cs_elf_program_build_id(const cs_elf_program *p, unsigned *bytes)
{
    *bytes = p->build_id_bytes;
    return p->build_id_bytes != 0 ? p->build_id : NULL;
}

const cs_elf_symbol *cs_elf_program_symbol(const cs_elf_program *p, size_t nr)
{
    return nr < p->nr_symbols ? &p->symbols[nr] : NULL;
}

const cs_elf_symbol *cs_elf_program_label(const cs_elf_program *p, size_t nr)
{
    return nr < p->nr_labels ? &p->labels[nr] : NULL;
}

const cs_elf_symbol *cs_elf_program_find(const cs_elf_program *p, const char *name)
{
    for (size_t i = 0; i < p->nr_symbols; i++)
        if (strcmp(p->symbols[i].name, name) == 0)
            return &p->symbols[i];
    return NULL;
}

/* `any`: of any type. 0: there is none of that name. */
static uint64_t address_in(Elf *elf, Elf_Scn *section, const char *name, bool any)
{
    GElf_Shdr header;
    GElf_Sym symbol;

    if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_SYMTAB)
        return 0;

    Elf_Data *data = elf_getdata(section, NULL);

    for (int i = 0; data != NULL && gelf_getsym(data, i, &symbol) != NULL; i++) {
        const char *found = elf_strptr(elf, header.sh_link, symbol.st_name);

        if ((any || GELF_ST_TYPE(symbol.st_info) == STT_OBJECT) && symbol.st_shndx != SHN_UNDEF &&
            found != NULL && strcmp(found, name) == 0)
            return symbol.st_value;
    }
    return 0;
}

static uint64_t address_of(Elf *elf, const char *name, bool any)
{
    uint64_t address = 0;

    for (Elf_Scn *s = elf_nextscn(elf, NULL); s != NULL && address == 0; s = elf_nextscn(elf, s))
        address = address_in(elf, s, name, any);
    return address;
}

uint64_t cs_elf_program_variable(const cs_elf_program *p, const char *name)
{
    return address_of(p->elf, name, false);
}

cs_status cs_elf_addresses(const char *path, const char *const names[], uint64_t out[], size_t nr,
                           cs_diag *diag)
{
    const int fd = open(path, O_RDONLY);
    cs_status status = CS_OK;

    if (fd < 0)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot be opened: %s", strerror(errno));
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    if (elf == NULL || elf_kind(elf) != ELF_K_ELF)
        status = cs_diag_set(diag, CS_ERR_FORMAT, path, "is not an ELF file");
    for (size_t i = 0; i < nr && status == CS_OK; i++)
        out[i] = address_of(elf, names[i], true);
    if (elf != NULL)
        elf_end(elf);
    close(fd);
    return status;
}
