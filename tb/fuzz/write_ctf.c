// SPDX-License-Identifier: Apache-2.0
/* The writer of CTF: tables, streams and events of a program, in a folder in memory. Our reader must read the
 * trace that comes of it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/ctf/write/ctf.h"
#include "program.h"

#define MOST_CLASSES 3u
#define MOST_EVENTS 3u
#define MOST_FACTS 4u
#define MOST_STREAMS 8u
#define LARGE_PACKET (1u << 20) /* streams that would have such packets are not opened */

/* The first byte. */
enum { AS_TABLE = 3, ABANDON = 4 };
/* The second: what is where the folder shall be; else nothing. */
enum { EMPTY = 4, NOT_EMPTY = 5, NO_FOLDER = 6, NO_PARENT = 7, PLACES = 8, NO_FILES = 8 };

typedef struct run {
    cs_fuzz_program p;
    cs_ctf_config config;
    cs_ctf *trace;
    struct {
        cs_ctf_stream *stream;
        const cs_ctf_stream_class *class;
        const char *name;
        uint64_t cycle;
        int file;
    } streams[MOST_STREAMS];
    size_t nr_streams;
    const char *path;
    bool no_metadata; /* they cannot be written again */
    cs_status status; /* what ended the trace */
} run;

/* ---- tables ---- */

static const char *name_of(cs_fuzz_program *p)
{
    static const char *const names[] = {"cpu_id", "clock0", "_x",     "core",       "n",
                                        "host_1", "e",      "stream", "packet_size"};

    return cs_fuzz_byte(p) < 0xf0 ? CS_FUZZ_ONE_OF(p, names) : cs_fuzz_text_or_null(p);
}

/* 0xff: more than there may be. */
static cs_ctf_event_class *events_of(cs_fuzz_program *p, size_t *nr)
{
    const uint8_t first = cs_fuzz_byte(p);
    const size_t there = first % (MOST_EVENTS + 1);
    cs_ctf_event_class *events = cs_fuzz_room(p, there * sizeof *events);

    for (size_t i = 0; i < there; i++) {
        events[i].name = cs_fuzz_text_or_null(p);
        events[i].fields = cs_fuzz_fields(p, true, &events[i].nr_fields);
    }
    *nr = first == 0xff ? 65536 : there;
    return events;
}

static cs_ctf_stream_class *classes_of(cs_fuzz_program *p, size_t *nr)
{
    cs_ctf_stream_class *classes;

    *nr = cs_fuzz_byte(p) % (MOST_CLASSES + 1);
    classes = cs_fuzz_room(p, *nr * sizeof *classes);
    for (size_t i = 0; i < *nr; i++) {
        classes[i].instance = name_of(p);
        classes[i].events = events_of(p, &classes[i].nr_events);
    }
    return classes;
}

static cs_ctf_fact *facts_of(cs_fuzz_program *p, size_t *nr)
{
    cs_ctf_fact *facts;

    *nr = cs_fuzz_byte(p) % (MOST_FACTS + 1);
    facts = cs_fuzz_room(p, *nr * sizeof *facts);
    for (size_t i = 0; i < *nr; i++) {
        facts[i].name = name_of(p);
        facts[i].text = cs_fuzz_text_or_null(p);
        facts[i].number = (int64_t)cs_fuzz_number(p);
    }
    return facts;
}

static cs_ctf_config config_of(cs_fuzz_program *p)
{
    static const size_t packets[] = {0, 256, 255, 300, 1024, 257, 1u << 26, (1u << 26) + 1};
    cs_ctf_config config = {.packet_bytes = CS_FUZZ_ONE_OF(p, packets)};
    const uint8_t uuid = cs_fuzz_byte(p);

    for (unsigned i = 0; i < CS_CTF_UUID_BYTES; i++)
        config.uuid[i] = (uint8_t)(uuid + 17 * i);
    config.clock_hz = cs_fuzz_number(p);
    config.clock_name = name_of(p);
    config.facts = facts_of(p, &config.nr_facts);
    config.classes = classes_of(p, &config.nr_classes);
    return config;
}

/* ---- calls ---- */

/* The first failure of the disk stays; what is refused is told, and forgotten. */
static void called(run *r, cs_status status, const cs_diag *diag)
{
    if (status == CS_ERR_RANGE && r->status == CS_OK)
        cs_fuzz_ended(status, diag);
    else
        cs_fuzz_called(status, &r->status);
}

/* What the next file gets that is opened. */
static int next_file(void)
{
    const int file = open("/dev/full", O_WRONLY);

    if (file < 0 || close(file) != 0)
        abort();
    return file;
}

/* A name is taken twice, or is none of a file; that is no failure of the trace. */
static void open_stream(run *r)
{
    static const char *const names[] = {"s0", "s1", "s2", "A-z_9.x", "metadata", ".s", "a/b", ""};
    const unsigned class = cs_fuzz_byte(&r->p) % (MOST_CLASSES + 1);
    const uint32_t instance = (uint32_t)cs_fuzz_number(&r->p);
    const char *name =
        cs_fuzz_byte(&r->p) < 0xf0 ? CS_FUZZ_ONE_OF(&r->p, names) : cs_fuzz_text(&r->p);
    cs_ctf_stream *stream = NULL;
    cs_diag diag = {0};
    cs_status status;

    if (r->nr_streams == MOST_STREAMS || r->config.packet_bytes > LARGE_PACKET)
        return;
    r->streams[r->nr_streams].file = next_file();
    status = cs_ctf_open(r->trace, class, instance, name, &stream, &diag);
    cs_fuzz_ended(status, &diag);
    if ((status == CS_OK) != (stream != NULL))
        abort();
    if (status != CS_OK)
        return;
    r->streams[r->nr_streams].stream = stream;
    r->streams[r->nr_streams].class = &r->config.classes[class];
    r->streams[r->nr_streams++].name = name;
}

static void label(run *r)
{
    const size_t nr = cs_fuzz_byte(&r->p);
    const char *text = cs_fuzz_text(&r->p);
    cs_diag diag = {0};

    if (r->nr_streams != 0)
        cs_fuzz_ended(cs_ctf_label(r->streams[nr % r->nr_streams].stream, text, &diag), &diag);
}

/* Later than the last by a number, which may be too much. */
static void put(run *r)
{
    static const cs_diag none;
    const size_t nr = cs_fuzz_byte(&r->p);
    const uint8_t event = cs_fuzz_byte(&r->p);
    const uint64_t later = cs_fuzz_number(&r->p);

    if (r->nr_streams == 0)
        return;
    const cs_ctf_stream_class *class = r->streams[nr % r->nr_streams].class;
    const unsigned which = event < 0xf0 ? event % (unsigned)class->nr_events : event;
    const cs_ctf_event_class *e = &class->events[which < class->nr_events ? which : 0];
    const cs_field_value *values = cs_fuzz_values(&r->p, e->fields, e->nr_fields, true);
    const uint64_t cycle = r->streams[nr % r->nr_streams].cycle + later;
    const cs_status status =
        cs_ctf_put(r->streams[nr % r->nr_streams].stream, which, cycle, values);

    if (status == CS_OK)
        r->streams[nr % r->nr_streams].cycle = cycle;
    called(r, status, &none);
}

/* From now on the disk is full for a stream. */
static void fill(run *r)
{
    const size_t nr = cs_fuzz_byte(&r->p);
    int full;

    if (r->nr_streams == 0)
        return;
    full = open("/dev/full", O_WRONLY);
    if (full < 0 || dup2(full, r->streams[nr % r->nr_streams].file) < 0 || close(full) != 0)
        abort();
}

/* And for the metadata, should they be written again. */
static void fill_metadata(run *r)
{
    char path[160];

    snprintf(path, sizeof path, "%s/metadata", r->path);
    r->no_metadata = true;
    if (unlink(path) != 0 || symlink("/dev/full", path) != 0)
        abort();
}

/* programs.py has their names in this order. */
static void (*const calls[])(run *r) = {open_stream, label, put, put,
                                        put,         fill,  put, fill_metadata};

/* ---- where it goes ---- */

/* False: something is there. */
static bool make_place(const char *path, uint8_t how)
{
    char inner[160];
    FILE *file;

    snprintf(inner, sizeof inner, "%s/thing", path);
    if (how == EMPTY || how == NOT_EMPTY)
        mkdir(path, 0777);
    if (how == NOT_EMPTY || how == NO_FOLDER) {
        file = fopen(how == NOT_EMPTY ? inner : path, "wb");
        if (file == NULL || fclose(file) != 0)
            abort();
    }
    return how < EMPTY || how == NO_PARENT;
}

/* False: no file can be opened. */
static void allow_files(bool some)
{
    static struct rlimit before;
    struct rlimit limit;

    if (before.rlim_max == 0 && getrlimit(RLIMIT_NOFILE, &before) != 0)
        abort();
    limit = before;
    if (!some)
        limit.rlim_cur = 0;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
        abort();
}

/* Nothing is left of a trace that failed to be made, or was abandoned: the folder only where it was there. */
static void check_gone(const char *path, bool made)
{
    struct stat there;
    const bool is_there = stat(path, &there) == 0;
    DIR *dir;
    unsigned entries = 0;

    if (made && is_there)
        abort();
    if (!is_there || !S_ISDIR(there.st_mode))
        return;
    dir = opendir(path);
    for (const struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        entries += entry->d_name[0] != '.' && strcmp(entry->d_name, "thing") != 0;
    closedir(dir);
    if (entries != 0)
        abort();
}

static void tell_file(const char *path, const char *name)
{
    char inner[4096], piece[4096];
    FILE *file;

    snprintf(inner, sizeof inner, "%s/%s", path, name);
    file = fopen(inner, "rb");
    for (size_t got; file != NULL && (got = fread(piece, 1, sizeof piece, file)) != 0;)
        cs_fuzz_told(piece, got);
    if (file != NULL)
        fclose(file);
}

/* ---- all of it ---- */

static cs_status finish(run *r, const char *path, uint8_t choice, bool made)
{
    cs_diag diag = {0};
    cs_status status;

    if ((choice & ABANDON) != 0) {
        cs_ctf_abandon(r->trace);
        check_gone(path, made);
        return CS_ERR_USAGE;
    }
    status = cs_ctf_close(r->trace, &diag);
    cs_fuzz_ended(status, &diag);
    if (r->status != CS_OK && status != r->status)
        abort();
    if (!r->no_metadata)
        tell_file(path, "metadata");
    for (size_t i = 0; i < r->nr_streams; i++)
        tell_file(path, r->streams[i].name);
    return status;
}

static void play(run *r, uint8_t choice, uint8_t how)
{
    const bool made = make_place(r->path, how % PLACES);
    cs_diag diag = {0};
    cs_status status;

    r->config = config_of(&r->p);
    allow_files((how & NO_FILES) == 0);
    status = cs_ctf_create(r->path, &r->config, &r->trace, &diag);
    allow_files(true);
    cs_fuzz_ended(status, &diag);
    if ((status == CS_OK) != (r->trace != NULL))
        abort();
    while (status == CS_OK && r->p.at < r->p.end)
        CS_FUZZ_ONE_OF(&r->p, calls)(r);
    if (status == CS_OK)
        status = finish(r, r->path, choice, made);
    else
        check_gone(r->path, made);
    if (status == CS_OK && !r->no_metadata)
        cs_fuzz_read("ctf", r->path, NULL, (cs_table_format)((choice & AS_TABLE) % 3), true);
}

void cs_fuzz_ctf_write(const void *ctx, const uint8_t *data, size_t size)
{
    run r = {0};
    char path[128];
    uint8_t choice, how;

    (void)ctx;
    cs_fuzz_program_begin(&r.p, data, size, 1u << 17);
    choice = cs_fuzz_byte(&r.p);
    how = cs_fuzz_byte(&r.p);
    snprintf(path, sizeof path, "%s/%s", cs_fuzz_folder(),
             how % PLACES == NO_PARENT ? "none/trace" : "trace");
    r.path = path;
    play(&r, choice, how);
    cs_ctf_abandon(NULL);
    cs_fuzz_program_end(&r.p);
}
