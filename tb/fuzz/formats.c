/* The readers, as `decode` and `damage` call them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/damage/damage.h"
#include "formats/formats.h"
#include "target.h"

/* The last byte is of the file, and chooses what is asked, too: so any real file is an input. */
static cs_format_print print_of(const cs_format *format, uint8_t choice)
{
    static const char *const texts[] = {"1", "4", "0", "8", "0x100", "64", "2", ""};
    cs_format_print print = {.table = (cs_table_format)(choice % 3)};

    for (size_t i = 0; format->options != NULL && format->options[i] != NULL; i++) {
        const cs_format_option *option = format->options[i];
        const char *text = option->value != NULL ? texts[(choice / 3 + i) % 8] : "";
        cs_diag diag;

        if (option->what == NULL && (choice >> (i % 8) & 1) == 0)
            continue;
        if (option->check != NULL && option->check(text, &diag) != CS_OK)
            text = "4";
        if (option->check != NULL && option->check(text, &diag) != CS_OK)
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
    cs_diag diag = {0};
    cs_input in;
    cs_status status;

    cs_format_guess(data, size < CS_INPUT_LOOK_BYTES ? size : CS_INPUT_LOOK_BYTES);
    if (!is_complete(format, &print))
        return;
    status = cs_input_open(&in, cs_fuzz_file(data, size), 0, UINT64_MAX, &diag);
    if (status == CS_OK)
        status = format->print(&print, &in, &cs_fuzz_sink, &diag);
    cs_input_close(&in);
    cs_fuzz_ended(status, &diag);
}

/* ---- CTF ---- */

static char folder[64];

static void remove_folder(void)
{
    char path[96];

    snprintf(path, sizeof path, "%s/metadata", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/stream", folder);
    unlink(path);
    rmdir(folder);
}

static void put(const char *name, const uint8_t *data, size_t size)
{
    char path[96];
    FILE *file;

    if (folder[0] == '\0') {
        strcpy(folder, "/dev/shm/countersink-fuzz-XXXXXX");
        if (mkdtemp(folder) == NULL)
            abort();
        atexit(remove_folder);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "wb");
    if (file == NULL || (size != 0 && fwrite(data, size, 1, file) != 1) || fclose(file) != 0)
        abort();
}

/* 16 bits with the size of the metadata, the metadata, and a stream. */
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
    put("metadata", data + 2, metadata);
    put("stream", data + 2 + metadata, size - 2 - metadata);
    cs_input in = {.name = folder};
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
