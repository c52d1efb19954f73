// SPDX-License-Identifier: Apache-2.0
/* opendir, mkdtemp */
#define _GNU_SOURCE
#include "program.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/formats.h"

#define MANY 0xf0u /* a list's number from here on: it is long */
#define NONE 0xffu

/* ---- arguments ---- */

typedef struct cs_fuzz_kept {
    struct cs_fuzz_kept *next;
    uint64_t bytes[];
} cs_fuzz_kept;

void cs_fuzz_program_begin(cs_fuzz_program *p, const uint8_t *data, size_t size, size_t most_kept)
{
    *p =
        (cs_fuzz_program){.at = data, .end = size > 0 ? data + size : data, .most_kept = most_kept};
}

void cs_fuzz_program_end(cs_fuzz_program *p)
{
    while (p->kept != NULL) {
        cs_fuzz_kept *next = p->kept->next;

        free(p->kept);
        p->kept = next;
    }
}

void *cs_fuzz_room(cs_fuzz_program *p, size_t bytes)
{
    cs_fuzz_kept *kept = bytes > 0 ? calloc(1, sizeof *kept + bytes) : NULL;

    if (bytes == 0)
        return NULL;
    if (kept == NULL)
        abort();
    kept->next = p->kept;
    p->kept = kept;
    p->kept_bytes += bytes;
    if (p->kept_bytes > p->most_kept)
        p->at = p->end;
    return kept->bytes;
}

uint8_t cs_fuzz_byte(cs_fuzz_program *p)
{
    return p->at < p->end ? *p->at++ : 0;
}

static uint64_t little(cs_fuzz_program *p, unsigned bytes)
{
    uint64_t number = 0;

    for (unsigned i = 0; i < bytes; i++)
        number |= (uint64_t)cs_fuzz_byte(p) << (8 * i);
    return number;
}

uint64_t cs_fuzz_number(cs_fuzz_program *p)
{
    const uint8_t how = cs_fuzz_byte(p);

    if (how >= 0x80)
        return how - 0x80u;
    const uint64_t number = little(p, 1u << how % 4);
    const uint64_t all[] = {number, ~number, UINT64_C(1) << number % 64,
                            (UINT64_C(1) << number % 64) - 1};
    return all[how / 4 % 4];
}

static uint8_t *bytes_and(cs_fuzz_program *p, size_t more, size_t *nr)
{
    const uint8_t first = cs_fuzz_byte(p);
    uint8_t *bytes;

    *nr = first < MANY ? first % 32u : (size_t)little(p, 2);
    bytes = cs_fuzz_room(p, *nr + more);
    if (first >= MANY && *nr > 0)
        memset(bytes, cs_fuzz_byte(p), *nr);
    for (size_t i = 0; i < *nr && first < MANY; i++)
        bytes[i] = cs_fuzz_byte(p);
    return bytes;
}

uint8_t *cs_fuzz_bytes(cs_fuzz_program *p, size_t *nr)
{
    return bytes_and(p, 0, nr);
}

char *cs_fuzz_text(cs_fuzz_program *p)
{
    size_t nr;

    return (char *)bytes_and(p, 1, &nr);
}

char *cs_fuzz_text_or_null(cs_fuzz_program *p)
{
    if (p->at < p->end && *p->at == NONE) {
        p->at++;
        return NULL;
    }
    return cs_fuzz_text(p);
}

uint64_t *cs_fuzz_words(cs_fuzz_program *p, size_t most, size_t *nr)
{
    const uint8_t first = cs_fuzz_byte(p);
    uint64_t *words, rising = 0;

    *nr = first < MANY ? first % 16u : (size_t)little(p, 2) % (most + 1);
    words = cs_fuzz_room(p, *nr * sizeof *words);
    if (first >= MANY)
        rising = cs_fuzz_number(p);
    for (size_t i = 0; i < *nr; i++)
        words[i] = first < MANY ? cs_fuzz_number(p) : rising + i;
    return words;
}

/* ---- where it is written ---- */

void cs_fuzz_memory_begin(cs_fuzz_memory *m, cs_fuzz_program *p)
{
    const uint64_t left = cs_fuzz_number(p);

    *m = (cs_fuzz_memory){.left = left != 0 ? left : UINT64_MAX};
}

bool cs_fuzz_take(cs_fuzz_memory *m, size_t at, const void *bytes, size_t length)
{
    if (m->failed || at > m->used || bytes == NULL || length == 0)
        abort();
    m->failed = length > m->left;
    if (m->failed)
        return false;
    m->left -= length;
    if (at + length > m->room) {
        m->room = 2 * (at + length);
        m->bytes = realloc(m->bytes, m->room);
        if (m->bytes == NULL)
            abort();
    }
    memcpy(m->bytes + at, bytes, length);
    m->used = at + length > m->used ? at + length : m->used;
    return true;
}

static cs_status take_text(void *ctx, const char *text, size_t bytes)
{
    cs_fuzz_memory *m = ctx;

    return cs_fuzz_take(m, m->used, text, bytes) ? CS_OK : CS_ERR_IO;
}

cs_text_sink cs_fuzz_memory_sink(cs_fuzz_memory *m)
{
    return (cs_text_sink){take_text, m};
}

/* ---- folders ---- */

static char folder[64];

/* And the folders in it. */
static void empty(const char *path)
{
    DIR *dir = opendir(path);

    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        char inner[512];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (unlink(inner) != 0) {
            empty(inner);
            rmdir(inner);
        }
    }
    if (dir != NULL)
        closedir(dir);
}

static void remove_folder(void)
{
    empty(folder);
    rmdir(folder);
}

const char *cs_fuzz_folder(void)
{
    if (folder[0] == '\0') {
        strcpy(folder, "/dev/shm/countersink-write-XXXXXX");
        if (mkdtemp(folder) == NULL)
            abort();
        atexit(remove_folder);
    }
    empty(folder);
    return folder;
}

/* ---- what came of it ---- */

void cs_fuzz_called(cs_status status, cs_status *first)
{
    const uint8_t told = (uint8_t)status;

    cs_fuzz_told(&told, 1);
    if (*first != CS_OK && status != *first)
        abort();
    *first = status;
}

static cs_format_print print_of(const cs_format *format, const char *option, cs_table_format table)
{
    cs_format_print print = {.table = table};

    for (size_t i = 0; option != NULL && format->options[i] != NULL; i++)
        if (strcmp(format->options[i]->name, option) == 0) {
            print.given[0].option = format->options[i];
            print.given[0].text = "";
            print.nr_given = 1;
        }
    return print;
}

void cs_fuzz_read(const char *name, const char *path, const char *option, cs_table_format table,
                  bool must)
{
    const cs_format *format = cs_format_named(name);
    const cs_format_print print = print_of(format, option, table);
    cs_input in = {.name = path};
    cs_diag diag = {0};
    cs_status status = CS_OK;

    if (!format->folder)
        status = cs_input_open(&in, path, 0, UINT64_MAX, &diag);
    if (status == CS_OK)
        status = format->print(&print, &in, &cs_fuzz_sink, &diag);
    if (!format->folder)
        cs_input_close(&in);
    cs_fuzz_ended(status, &diag);
    if (status != CS_OK && must) {
        fprintf(stderr, "%s: what was written is not read: %s\n", name, diag.text);
        abort();
    }
}
