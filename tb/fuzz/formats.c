// SPDX-License-Identifier: Apache-2.0
/* The readers, as `decode` and `damage` call them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/damage/damage.h"
#include "formats/formats.h"
#include "formats/imc/catalog/catalog.h"
#include "formats/imc/catalog/device_tree.h"
#include "program.h"

/* The events of IMC as a blob in memory, which needs no dtc; made once. "": the configs are elsewhere. */
static const char *catalog_file(void)
{
    static char path[64];
    static int file = -1;
    const cs_imc_device_tree_options options = {.availability = UINT64_MAX};
    cs_imc_catalog *catalog = NULL;
    void *blob = NULL;
    size_t bytes;
    char source[4096];
    cs_diag diag;

    if (file >= 0)
        return path;
    snprintf(source, sizeof source, "%s/imc/power9_small.dts", cs_fuzz_configs);
    if (cs_imc_catalog_load(source, &catalog, &diag) != CS_OK ||
        cs_imc_device_tree_make(catalog, &options, &blob, &bytes, &diag) != CS_OK)
        return "";
    file = memfd_create("catalog", 0);
    if (file < 0 || write(file, blob, bytes) != (ssize_t)bytes)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    cs_imc_catalog_destroy(catalog);
    free(blob);
    return path;
}

/* Texts of an option that takes some, good ones and others. */
static const char *text_of(const cs_format_option *option, unsigned nr)
{
    static const char *const numbers[] = {"1", "4", "0", "8", "0x100", "64", "2", ""};
    static const char *const types[] = {"SAMPLE",
                                        "SAMPLE,MMAP2",
                                        "COMM,,FORK",
                                        "AUXTRACE_INFO",
                                        "MMAP2,ITRACE_START,SAMPLE,COMM,AUX,LOST",
                                        "64",
                                        "MMAP,Z",
                                        ""};

    if (option->value == NULL)
        return "";
    if (strcmp(option->name, "catalog") == 0)
        return catalog_file();
    return (strcmp(option->name, "only") == 0 ? types : numbers)[nr % 8];
}

static bool is_good(const cs_format_option *option, const char *text)
{
    cs_diag diag = {0};
    const cs_status status = option->check != NULL ? option->check(text, &diag) : CS_OK;

    if (status != CS_OK)
        cs_fuzz_ended(status, &diag);
    return status == CS_OK;
}

/* The last byte is of the file, and chooses what is asked, too: so any real file is an input. */
static cs_format_print print_of(const cs_format *format, uint8_t choice)
{
    cs_format_print print = {.table = (cs_table_format)(choice % 3)};

    for (size_t i = 0; format->options != NULL && format->options[i] != NULL; i++) {
        const cs_format_option *option = format->options[i];
        const char *text = text_of(option, choice / 3 + (unsigned)i);

        if (option->what == NULL && (choice >> (i % 8) & 1) == 0)
            continue;
        if (!is_good(option, text))
            text = "4";
        if (!is_good(option, text))
            continue;
        print.given[print.nr_given].option = option;
        print.given[print.nr_given++].text = text;
    }
    return print;
}

/* What is demanded is there. */
static bool is_complete(const cs_format *format, const cs_format_print *print)
{
    for (size_t i = 0; format->options != NULL && format->options[i] != NULL; i++)
        if (format->options[i]->what != NULL && cs_format_text(print, format->options[i]) == NULL)
            return false;
    return format->accepts == NULL || format->accepts(print, NULL) == CS_OK;
}

void cs_fuzz_format(const void *ctx, const uint8_t *data, size_t size)
{
    const cs_format *format = ctx;
    const cs_format_print print = print_of(format, size > 0 ? data[size - 1] : 0);
    const cs_format *guessed;
    cs_diag diag = {0};
    cs_input in;
    cs_status status;

    guessed = cs_format_guess(data, size < CS_INPUT_LOOK_BYTES ? size : CS_INPUT_LOOK_BYTES);
    if (guessed != NULL)
        cs_fuzz_told(guessed->name, strlen(guessed->name));
    if (!is_complete(format, &print))
        return;
    status = cs_input_open(&in, cs_fuzz_file(data, size), 0, UINT64_MAX, &diag);
    if (status == CS_OK)
        status = format->print(&print, &in, &cs_fuzz_sink, &diag);
    cs_input_close(&in);
    cs_fuzz_ended(status, &diag);
}

/* ---- CTF ---- */

/* A file of a folder that was emptied. */
static void put(const char *folder, const char *name, const uint8_t *data, size_t size)
{
    char path[96];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "wb");
    if (file == NULL || (size != 0 && fwrite(data, size, 1, file) != 1) || fclose(file) != 0)
        abort();
}

/* 16 bits with the size of the metadata, the metadata, and a stream. Bits 7 and 6 of the last byte: it is
 * there twice, and its first half once more. */
void cs_fuzz_ctf(const void *ctx, const uint8_t *data, size_t size)
{
    const cs_format *format = cs_format_named("ctf");
    cs_format_print print = {0};
    cs_diag diag = {0};
    size_t metadata;

    (void)ctx;
    if (size < 2)
        return;
    metadata = data[0] | (size_t)data[1] << 8;
    metadata = metadata < size - 2 ? metadata : size - 2;
    print = print_of(format, data[size - 1]);
    cs_input in = {.name = cs_fuzz_folder()};
    const uint8_t *stream = data + 2 + metadata;
    const size_t bytes = size - 2 - metadata;
    put(in.name, "metadata", data + 2, metadata);
    put(in.name, "stream", stream, bytes);
    if ((data[size - 1] & 0x80) != 0)
        put(in.name, "twin", stream, bytes);
    if ((data[size - 1] & 0x40) != 0)
        put(in.name, "half", stream, bytes / 2);
    if (is_complete(format, &print))
        cs_fuzz_ended(format->print(&print, &in, &cs_fuzz_sink, &diag), &diag);
}

/* ---- damage ---- */

void cs_fuzz_damage(const void *ctx, const uint8_t *data, size_t size)
{
    const uint8_t choice = size > 0 ? data[size - 1] : 0;
    const cs_format *as = cs_format_at(choice / 16);
    cs_damage_layout layout = {0};
    cs_damage_report report;
    uint8_t *damaged = NULL;
    size_t damaged_size;
    char json[1024];
    cs_diag diag = {0};
    cs_status status = cs_damage_layout_of(choice % 2 != 0 && as != NULL ? as->name : NULL, data,
                                           size, &layout, &diag);

    (void)ctx;
    if (status == CS_OK)
        status = cs_damage_make(&layout, (cs_damage_kind)(choice % CS_NR_DAMAGES), choice, data,
                                size, &damaged, &damaged_size, &report, &diag);
    if (status == CS_OK) {
        cs_damage_json(&report, json, sizeof json);
        cs_fuzz_told(json, strlen(json));
        cs_fuzz_told(damaged, damaged_size);
        if (damaged_size == size && memcmp(damaged, data, size) == 0)
            abort(); /* it promises a difference */
    }
    cs_fuzz_ended(status, &diag);
    cs_damage_layout_free(&layout);
    free(damaged);
}
