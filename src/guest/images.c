// SPDX-License-Identifier: Apache-2.0
#include "guest/images.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/room.h"
#include "formats/common/elf_program.h"
#include "guest/imc/programs.h"
#include "guest/parts.h"
#include "scenario/guest/guest_spec.h"

#define KERNEL UINT64_C(0xc000000000000000)
#define USER 1u /* of a mode */
#define PAGE 0x10000u
#define SMALL_PAGE 0x1000u
#define FILE_NAME 64

typedef struct function {
    uint64_t first, last; /* as linked */
    const char *name;
} function;

typedef struct file {
    char name[FILE_NAME];
    cs_elf_program *elf; /* owns names; NULL: there are no functions */
    function *functions; /* by rising addresses */
    size_t nr;
} file;

typedef struct mapping {
    uint64_t first, last;
    uint64_t moved; /* by so much from where it was linked */
    size_t file;
} mapping;

typedef struct image {
    uint32_t process;
    mapping *mappings;
    size_t nr, room;
} image;

struct cs_images {
    const cs_scenario *scenario;
    const cs_guest_place *place;
    char folder[CS_GUEST_PATH];
    file **files;
    size_t nr_files, room_files;
    image *images;
    size_t nr, room;
};

/* ---- files ---- */

static int by_address(const void *a, const void *b)
{
    const function *x = a, *y = b;

    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* The end of the code that an address is in. */
static uint64_t end_of_text(const file *f, uint64_t address)
{
    unsigned nr = 0;
    const cs_elf_text *texts = cs_elf_program_texts(f->elf, &nr);

    for (unsigned i = 0; i < nr; i++)
        if (address >= texts[i].addr && address - texts[i].addr < texts[i].bytes)
            return texts[i].addr + texts[i].bytes;
    return address;
}

/* What has no size, as an assembler's functions, goes on to the next; within another it is none. */
static void end_labels(file *f)
{
    uint64_t covered = 0;
    size_t kept = 0;

    for (size_t i = 0; i < f->nr; i++) {
        function *of = &f->functions[i];

        if (of->last >= of->first) {
            covered = of->last >= covered ? of->last + 1 : covered;
        } else {
            const uint64_t end = end_of_text(f, of->first);

            if (of->first < covered)
                continue;
            of->last = (i + 1 < f->nr && of[1].first < end ? of[1].first : end) - 1;
        }
        f->functions[kept++] = *of;
    }
    f->nr = kept;
}

static bool read_functions(file *f)
{
    size_t count = 0, labels = 0;

    while (cs_elf_program_symbol(f->elf, count) != NULL)
        count++;
    while (cs_elf_program_label(f->elf, labels) != NULL)
        labels++;
    f->functions = calloc(count + labels + 1, sizeof *f->functions);
    for (; f->functions != NULL && f->nr < count + labels; f->nr++) {
        const cs_elf_symbol *symbol = f->nr < count ? cs_elf_program_symbol(f->elf, f->nr)
                                                    : cs_elf_program_label(f->elf, f->nr - count);

        f->functions[f->nr] =
            (function){symbol->addr, symbol->addr + symbol->size - 1, symbol->name};
    }
    if (f->functions != NULL) {
        qsort(f->functions, f->nr, sizeof *f->functions, by_address);
        end_labels(f);
    }
    return f->functions != NULL;
}

/* Where the guest's file of that name lies here; false: it is none of those that we have put there. */
static bool find_file(const cs_images *images, const char *name, char *path, size_t bytes)
{
    const char *const *libraries = images->place->machine->libraries;
    const char *folders[6] = {"bin", "usr/bin"};
    const cs_guest_spec *guest = images->scenario->guest;

    if (guest->program.nr_functions != 0 && strcmp(name, guest->program.name) == 0) {
        snprintf(path, bytes, "%s/program", images->folder);
        return true;
    }
    for (size_t i = 0; i < guest->nr_files; i++) {
        const char *slash = strrchr(guest->files[i], '/');

        if (strcmp(name, slash != NULL ? slash + 1 : guest->files[i]) == 0) {
            cs_guest_beside(images->scenario, guest->files[i], path, bytes);
            return true;
        }
    }
    for (size_t i = 0; libraries[i] != NULL; i++)
        folders[2 + i] = libraries[i];
    for (size_t i = 0; folders[i] != NULL; i++) {
        snprintf(path, bytes, "%s/%s/%s", images->place->guest, folders[i], name);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

/* A file that is stripped, or not ours, has no functions. */
static cs_status add_file(cs_images *images, const char *name, const char *path, cs_diag *diag)
{
    file **more = cs_room(images->files, &images->room_files, images->nr_files, sizeof *more);
    file *f = more != NULL ? calloc(1, sizeof *f) : NULL;

    images->files = more != NULL ? more : images->files;
    if (f == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "its functions");
    images->files[images->nr_files++] = f;
    snprintf(f->name, sizeof f->name, "%s", name);
    if (path != NULL && cs_elf_program_open(path, &f->elf, NULL) == CS_OK && !read_functions(f))
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "its functions");
    return CS_OK;
}

static cs_status make_program(cs_images *images, cs_diag *diag)
{
    char path[CS_GUEST_PATH + 16];
    uint8_t *elf = NULL;
    size_t bytes = 0;
    cs_status status;

    if (images->scenario->guest->program.nr_functions == 0)
        return CS_OK;
    snprintf(path, sizeof path, "%s/program", images->folder);
    status = images->place->machine->make_program(images->scenario->guest, &elf, &bytes, diag);
    if (status == CS_OK) {
        FILE *out = fopen(path, "wb");
        const bool good = out != NULL && fwrite(elf, 1, bytes, out) == bytes;

        if ((out != NULL && fclose(out) != 0) || !good)
            status = cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
    }
    free(elf);
    return status;
}

cs_status cs_images_create(const cs_scenario *scenario, const cs_guest_place *place,
                           const char *folder, cs_images **out, cs_diag *diag)
{
    cs_images *images = calloc(1, sizeof *images);
    cs_status status;

    *out = images;
    if (images == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "what a guest executes");
    images->scenario = scenario;
    images->place = place;
    snprintf(images->folder, sizeof images->folder, "%s", folder);
    status = add_file(images, scenario->guest->elf[0] != '\0' ? "[program]" : "[kernel]",
                      place->symbols, diag);
    return status == CS_OK ? make_program(images, diag) : status;
}

void cs_images_destroy(cs_images *images)
{
    for (size_t i = 0; images != NULL && i < images->nr_files; i++) {
        cs_elf_program_close(images->files[i]->elf);
        free(images->files[i]->functions);
        free(images->files[i]);
    }
    for (size_t i = 0; images != NULL && i < images->nr; i++)
        free(images->images[i].mappings);
    if (images != NULL) {
        free(images->files);
        free(images->images);
    }
    free(images);
}

/* ---- images ---- */

static cs_status map(image *to, const mapping *m, cs_diag *diag)
{
    mapping *more = cs_room(to->mappings, &to->room, to->nr, sizeof *more);

    if (more == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "what a guest executes");
    to->mappings = more;
    to->mappings[to->nr++] = *m;
    return CS_OK;
}

cs_status cs_images_add(cs_images *images, uint32_t number, uint32_t process, uint32_t from,
                        cs_diag *diag)
{
    image *more = cs_room(images->images, &images->room, images->nr, sizeof *more);
    cs_status status = CS_OK;

    if (more == NULL || number != images->nr + 1)
        return cs_diag_set(diag, more == NULL ? CS_ERR_NO_MEMORY : CS_ERR_FORMAT, "the guest",
                           "image %u comes after %zu", number, images->nr);
    images->images = more;
    images->images[images->nr++] = (image){.process = process};
    if (from == 0 || from >= number)
        return CS_OK;
    for (size_t i = 0; i < images->images[from - 1].nr && status == CS_OK; i++) {
        const mapping m = images->images[from - 1].mappings[i];

        status = map(&images->images[number - 1], &m, diag);
    }
    return status;
}

cs_status cs_images_map(cs_images *images, uint32_t number, uint64_t address, uint64_t bytes,
                        const char *name, cs_diag *diag)
{
    mapping m = {address, address + bytes - 1, 0, 0};
    char path[2 * CS_GUEST_PATH];
    unsigned nr_texts = 0;
    cs_status status = CS_OK;

    if (number == 0 || number > images->nr || bytes == 0)
        return CS_OK;
    while (m.file < images->nr_files && strcmp(images->files[m.file]->name, name) != 0)
        m.file++;
    if (m.file == images->nr_files)
        status =
            add_file(images, name, find_file(images, name, path, sizeof path) ? path : NULL, diag);
    if (status == CS_OK && images->files[m.file]->elf != NULL) {
        const cs_elf_text *texts = cs_elf_program_texts(images->files[m.file]->elf, &nr_texts);
        const uint64_t page = address % PAGE == 0 ? PAGE : SMALL_PAGE;

        m.moved = nr_texts != 0 ? address - texts[0].addr / page * page : 0;
    }
    return status == CS_OK ? map(&images->images[number - 1], &m, diag) : status;
}

uint32_t cs_images_process(const cs_images *images, uint32_t number)
{
    return number > 0 && number <= images->nr ? images->images[number - 1].process : 0;
}

/* Functions may lie within others, and begin at one place: the last that begins before it. */
static cs_images_place find_in(const file *f, uint64_t pc)
{
    size_t low = 0, high = f->nr;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (f->functions[middle].first <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && pc <= f->functions[low - 1].last)
        return (cs_images_place){f->name, f->functions[low - 1].name};
    return (cs_images_place){f->name, f->name};
}

cs_images_place cs_images_find(const cs_images *images, uint32_t number, uint64_t pc, unsigned mode)
{
    if (pc >= KERNEL || images->scenario->guest->elf[0] != '\0')
        return find_in(images->files[0], pc);
    if ((mode & USER) == 0)
        return (cs_images_place){"[firmware]", "[firmware]"};
    if (number > 0 && number <= images->nr) {
        const image *of = &images->images[number - 1];

        for (size_t i = of->nr; i-- > 0;)
            if (pc >= of->mappings[i].first && pc <= of->mappings[i].last)
                return find_in(images->files[of->mappings[i].file], pc - of->mappings[i].moved);
    }
    return (cs_images_place){"[user]", "[user]"};
}
