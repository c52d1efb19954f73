#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sqlite_path.h"
#include "formats/common/elf_program.h"
#include "guest/imc/counters.h"
#include "guest/imc/parts.h"
#include "guest/imc/programs.h"
#include "scenario/imc/guest_spec.h"

#define CLOCK_MHZ 1000 /* an instruction a cycle, a nanosecond each */
#define MOST_FIELDS 9
#define FIRMWARE UINT64_C(0x30000000)
#define FIRMWARE_END UINT64_C(0x40000000)
#define KERNEL UINT64_C(0xc000000000000000)

static const char tables[] =
    "CREATE TABLE run(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "CREATE TABLE guest_record(number INTEGER PRIMARY KEY, session INTEGER, cycle INTEGER, "
    "timebase INTEGER, ip INTEGER, pid_register INTEGER, mode INTEGER, address INTEGER, cpu "
    "INTEGER);"
    "CREATE TABLE guest_taken(seq INTEGER PRIMARY KEY, record INTEGER);"
    "CREATE TABLE guest_session(session INTEGER PRIMARY KEY, cycle INTEGER, buffer INTEGER, cpu "
    "INTEGER);"
    "CREATE TABLE guest_process(pid_register INTEGER, process INTEGER, cycle INTEGER);"
    "CREATE TABLE guest_function(first INTEGER, last INTEGER, name TEXT);"
    "CREATE TABLE guest_count(name TEXT, cpu INTEGER, count INTEGER, "
    "PRIMARY KEY(name, cpu)) WITHOUT ROWID";

typedef struct function {
    uint64_t first, last;
    char name[CS_NAME_BYTES * 2];
    bool met;
} function;

typedef struct truth {
    sqlite3 *db;
    function *functions; /* by rising addresses */
    size_t nr_functions;
    sqlite3_stmt *record, *taken, *session, *process, *count;
    cs_guest_result *result;
    char wrong[160]; /* the first X */
    bool ended;
} truth;

/* ---- symbols ---- */

static int by_address(const void *a, const void *b)
{
    const function *x = a, *y = b;

    return x->first < y->first ? -1 : x->first > y->first;
}

static cs_status add_symbols(truth *t, const char *path, cs_diag *diag)
{
    const cs_elf_symbol *symbol;
    cs_elf_program *program;
    size_t count = 0;
    const cs_status status = cs_elf_program_open(path, &program, diag);

    if (status != CS_OK)
        return status;
    while (cs_elf_program_symbol(program, count) != NULL)
        count++;

    function *more = realloc(t->functions, (t->nr_functions + count + 1) * sizeof *more);
    if (more != NULL) {
        t->functions = more;
        for (size_t i = 0; i < count; i++) {
            function *f = &t->functions[t->nr_functions++];

            symbol = cs_elf_program_symbol(program, i);
            *f = (function){.first = symbol->addr, .last = symbol->addr + symbol->size - 1};
            snprintf(f->name, sizeof f->name, "%s", symbol->name);
        }
        qsort(t->functions, t->nr_functions, sizeof *t->functions, by_address);
    }
    cs_elf_program_close(program);
    return more != NULL ? CS_OK : cs_diag_set(diag, CS_ERR_NO_MEMORY, path, "its symbols");
}

/* The program as the guest had it, which lies beside the log. */
static cs_status add_program(truth *t, const cs_scenario *s, const char *log, cs_diag *diag)
{
    char path[CS_GUEST_PATH + 32];
    uint8_t *elf = NULL;
    size_t bytes = 0;
    cs_status status;

    if (s->guest->program.nr_functions == 0)
        return CS_OK;
    snprintf(path, sizeof path, "%s-program", log);
    status = cs_power_make_program(s->guest, &elf, &bytes, diag);
    if (status == CS_OK) {
        FILE *file = fopen(path, "wb");
        const bool good = file != NULL && fwrite(elf, 1, bytes, file) == bytes;

        if ((file != NULL && fclose(file) != 0) || !good)
            status = cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
    }
    free(elf);
    return status == CS_OK ? add_symbols(t, path, diag) : status;
}

/* Functions may lie within others, and begin at one place: the last that begins before it. */
static const char *name_of(truth *t, uint64_t pc)
{
    size_t low = 0, high = t->nr_functions;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (t->functions[middle].first <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && pc <= t->functions[low - 1].last) {
        t->functions[low - 1].met = true;
        return t->functions[low - 1].name;
    }
    if (pc >= KERNEL)
        return "[kernel]";
    return pc >= FIRMWARE && pc < FIRMWARE_END ? "[firmware]" : "[user]";
}

/* ---- rows ---- */

static void put(sqlite3_stmt *insert, const uint64_t *values, int count)
{
    for (int i = 0; i < count; i++)
        sqlite3_bind_int64(insert, i + 1, (sqlite3_int64)values[i]);
    sqlite3_step(insert);
    sqlite3_reset(insert);
}

static void put_count(truth *t, const uint64_t f[])
{
    t->result->traced += f[2];
    sqlite3_bind_text(t->count, 1, name_of(t, f[1]), -1, SQLITE_STATIC);
    sqlite3_bind_int64(t->count, 2, (sqlite3_int64)f[4]);
    sqlite3_bind_int64(t->count, 3, (sqlite3_int64)f[2]);
    sqlite3_step(t->count);
    sqlite3_reset(t->count);
}

static void read_line(truth *t, const char *line)
{
    uint64_t f[MOST_FIELDS] = {0};
    const char *at = line + 1;
    char *end;
    int count = 0;

    if (line[0] == 'X') {
        if (t->wrong[0] == '\0')
            snprintf(t->wrong, sizeof t->wrong, "%.*s", (int)strcspn(line + 2, "\n"), line + 2);
        return;
    }
    for (; count < MOST_FIELDS; count++, at = end) {
        f[count] = strtoull(at, &end, 16);
        if (end == at)
            break;
    }
    if (line[0] == 'R' && count == 9) {
        t->result->records++;
        put(t->record, f, 9);
    } else if (line[0] == 'D' && count == 1) {
        put(t->taken, (uint64_t[]){++t->result->taken, f[0]}, 2);
    } else if (line[0] == 'S' && count == 4) {
        put(t->session, f, 4);
    } else if (line[0] == 'P' && count == 3) {
        put(t->process, f, 3);
    } else if (line[0] == 'C' && count == 5) {
        put_count(t, f);
    } else if (line[0] == 'E' && count == 3) {
        t->result->instructions = f[0];
        t->result->idle_cycles = f[2];
        t->ended = true;
    }
}

static void put_functions(truth *t, sqlite3_stmt *insert)
{
    for (size_t i = 0; i < t->nr_functions; i++)
        if (t->functions[i].met) {
            sqlite3_bind_text(insert, 3, t->functions[i].name, -1, SQLITE_STATIC);
            put(insert, (uint64_t[]){t->functions[i].first, t->functions[i].last}, 2);
        }
}

static void put_facts(const truth *t, const cs_scenario *s, sqlite3_stmt *insert)
{
    const struct {
        const char *key;
        uint64_t value;
    } facts[] = {{"clock_mhz", CLOCK_MHZ},
                 {"seed", s->seed},
                 {"samples_truth", 1},
                 {"instructions", t->result->instructions},
                 {"idle_cycles", t->result->idle_cycles},
                 {"traced_instructions", t->result->traced}};

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        sqlite3_bind_text(insert, 1, facts[i].key, -1, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 2, (sqlite3_int64)facts[i].value);
        sqlite3_step(insert);
        sqlite3_reset(insert);
    }
    sqlite3_bind_text(insert, 1, "scenario", -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, s->name, -1, SQLITE_STATIC);
    sqlite3_step(insert);
    sqlite3_reset(insert);
}

static void fill(truth *t, const cs_scenario *s, FILE *log)
{
    sqlite3_stmt *functions = NULL, *facts = NULL;
    const struct {
        sqlite3_stmt **to;
        const char *sql;
    } inserts[] = {
        {&t->record, "INSERT INTO guest_record VALUES(?,?,?,?,?,?,?,?,?)"},
        {&t->taken, "INSERT INTO guest_taken VALUES(?,?)"},
        {&t->session, "INSERT INTO guest_session VALUES(?,?,?,?)"},
        {&t->process, "INSERT INTO guest_process VALUES(?,?,?)"},
        {&t->count, "INSERT INTO guest_count VALUES(?,?,?) ON CONFLICT DO UPDATE SET "
                    "count=count+excluded.count"},
        {&functions, "INSERT INTO guest_function VALUES(?,?,?)"},
        {&facts, "INSERT INTO run VALUES(?,?)"},
    };
    bool good = true;
    char line[256];

    for (size_t i = 0; i < sizeof inserts / sizeof inserts[0]; i++)
        good =
            good && sqlite3_prepare_v2(t->db, inserts[i].sql, -1, inserts[i].to, NULL) == SQLITE_OK;
    while (good && fgets(line, sizeof line, log) != NULL)
        read_line(t, line);
    if (good) {
        put_functions(t, functions);
        put_facts(t, s, facts);
    }
    for (size_t i = 0; i < sizeof inserts / sizeof inserts[0]; i++)
        sqlite3_finalize(*inserts[i].to);
}

cs_status cs_power_write_truth(const cs_scenario *scenario, const cs_power_place *place,
                               const char *log, const char *path, cs_guest_result *result,
                               cs_diag *diag)
{
    char name[CS_GUEST_PATH + CS_SQLITE_PATH_MORE];
    truth t = {.result = result};
    FILE *lines = fopen(log, "r");
    cs_status status;

    if (lines == NULL)
        return cs_diag_set(diag, CS_ERR_IO, log, "the plugin has written nothing: %s",
                           strerror(errno));
    status = add_symbols(&t, place->kernel, diag);
    if (status == CS_OK)
        status = add_program(&t, scenario, log, diag);
    if (status == CS_OK) {
        bool good = sqlite3_open(cs_sqlite_path(path, name, sizeof name), &t.db) == SQLITE_OK &&
                    sqlite3_exec(t.db, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN",
                                 NULL, NULL, NULL) == SQLITE_OK &&
                    sqlite3_exec(t.db, tables, NULL, NULL, NULL) == SQLITE_OK;

        if (good)
            fill(&t, scenario, lines);
        if (good)
            status = cs_power_write_counters(t.db, scenario, lines, diag);
        good = good && sqlite3_exec(t.db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
        if (status == CS_OK && (!good || sqlite3_errcode(t.db) == SQLITE_FULL))
            status = cs_diag_set(diag, CS_ERR_IO, path, "SQLite: %s", sqlite3_errmsg(t.db));
        sqlite3_close(t.db);
    }
    fclose(lines);
    free(t.functions);
    if (status == CS_OK && t.wrong[0] != '\0')
        status = cs_diag_set(diag, CS_ERR_IO, "the guest", "%s", t.wrong);
    if (status == CS_OK && !t.ended)
        status = cs_diag_set(diag, CS_ERR_IO, "the guest", "the plugin has not ended");
    return status;
}
