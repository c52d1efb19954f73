// SPDX-License-Identifier: Apache-2.0
/* The truth of what perf prints: which events a perf has opened, what each had counted when it was read, and
 * when the guest put out a file. perf's texts name no event by its id, and no time: with these it is known
 * which command a text is of. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "guest/hpm/parts.h"

#define LINE_BYTES 256
#define NAME_BYTES 64

static const char tables[] =
    "CREATE TABLE guest_event(event INTEGER PRIMARY KEY, process INTEGER, type INTEGER, config "
    "INTEGER, period INTEGER, flags INTEGER, opened INTEGER, last INTEGER);"
    "CREATE TABLE guest_asked(event INTEGER, round INTEGER, count INTEGER, PRIMARY KEY(event, "
    "round)) WITHOUT ROWID;"
    "CREATE TABLE guest_put(file TEXT PRIMARY KEY, last INTEGER) WITHOUT ROWID";

/* An event that perf has opened. Times are lines of the log. */
typedef struct event {
    uint64_t id, process, type, config, period, flags, opened, last;
    uint64_t ended; /* what its counters have counted that have stopped */
    uint64_t rounds;
    uint64_t count; /* in the last of them, */
    uint32_t harts; /* but for these, which have not been read yet */
} event;

typedef struct asked {
    event *all;
    size_t nr, room, found; /* the last one that was asked for */
    sqlite3_stmt *event, *round, *put;
    char file[NAME_BYTES];
    uint64_t line;
    bool starved;
} asked;

static void insert(sqlite3_stmt *statement, const uint64_t values[], int count)
{
    for (int i = 0; i < count; i++)
        sqlite3_bind_int64(statement, i + 1, (sqlite3_int64)values[i]);
    sqlite3_step(statement);
    sqlite3_reset(statement);
}

static event *find(asked *a, uint64_t id)
{
    for (size_t i = 0; i < a->nr; i++) {
        const size_t at = (a->found + i) % a->nr;

        if (a->all[at].id == id) {
            a->found = at;
            return &a->all[at];
        }
    }
    return NULL;
}

static void open_event(asked *a, const uint64_t f[])
{
    event *more = cs_room(a->all, &a->room, a->nr, sizeof *more);

    if (more == NULL) {
        a->starved = true;
        return;
    }
    a->all = more;
    a->all[a->nr++] = (event){.id = f[0],
                              .process = f[1],
                              .type = f[2],
                              .config = f[3],
                              .period = f[4],
                              .flags = f[5],
                              .opened = a->line,
                              .last = a->line};
}

static void put_round(const asked *a, const event *e)
{
    if (e->rounds > 0)
        insert(a->round, (uint64_t[]){e->id, e->rounds, e->count}, 3);
}

static void ask(const asked *a, event *e, uint32_t harts)
{
    put_round(a, e);
    e->rounds++;
    e->count = e->ended;
    e->harts = harts;
    e->last = a->line;
}

/* A counter that counts is read where it is, or ends before anybody comes there. */
static void read_there(event *e, uint64_t hart, uint64_t count)
{
    if (hart < 32 && (e->harts >> hart & 1) != 0) {
        e->count += count;
        e->harts &= ~(UINT32_C(1) << hart);
    }
}

/* ---- lines ---- */

static void name_file(asked *a, const char *name)
{
    snprintf(a->file, sizeof a->file, "%.*s", (int)strcspn(name, "\n"), name);
}

static void put_file(const asked *a)
{
    sqlite3_bind_text(a->put, 1, a->file, -1, SQLITE_STATIC);
    sqlite3_bind_int64(a->put, 2, (sqlite3_int64)a->line);
    sqlite3_step(a->put);
    sqlite3_reset(a->put);
}

static void take_event(asked *a, char kind, const uint64_t f[])
{
    event *e = find(a, f[0]);

    if (e == NULL)
        return;
    if (kind == 'G' && f[1] == e->process) {
        ask(a, e, (uint32_t)f[2]);
    } else if (kind == 'Q') {
        read_there(e, f[1], f[2]);
    } else if (kind == 'P') {
        read_there(e, f[1], f[2]);
        e->ended += f[2];
        e->last = a->line;
    }
}

static void take_line(asked *a, const char *line)
{
    uint64_t f[6] = {0};
    const char *at = line + 1;
    char *end;
    size_t count = 0;

    a->line++;
    if (line[0] == 'N')
        name_file(a, line + 2);
    if (line[0] == 'U')
        put_file(a);
    if (strchr("VGPQ", line[0]) == NULL)
        return;
    for (; count < sizeof f / sizeof f[0]; count++, at = end) {
        f[count] = strtoull(at, &end, 16);
        if (end == at)
            break;
    }
    if (line[0] == 'V' && count == 6)
        open_event(a, f);
    else if (line[0] != 'V' && count == 3)
        take_event(a, line[0], f);
}

static void put_all(const asked *a)
{
    for (size_t i = 0; i < a->nr; i++) {
        const event *e = &a->all[i];

        put_round(a, e);
        insert(a->event,
               (uint64_t[]){e->id, e->process, e->type, e->config, e->period, e->flags, e->opened,
                            e->last},
               8);
    }
}

cs_status cs_riscv_write_asked(sqlite3 *db, FILE *log, cs_diag *diag)
{
    asked a = {.nr = 0};
    char line[LINE_BYTES];
    const bool good =
        sqlite3_exec(db, tables, NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "INSERT OR REPLACE INTO guest_event VALUES(?,?,?,?,?,?,?,?)", -1,
                           &a.event, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "INSERT OR REPLACE INTO guest_asked VALUES(?,?,?)", -1, &a.round,
                           NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "INSERT OR REPLACE INTO guest_put VALUES(?,?)", -1, &a.put, NULL) ==
            SQLITE_OK;

    rewind(log);
    while (good && fgets(line, sizeof line, log) != NULL)
        take_line(&a, line);
    if (good)
        put_all(&a);
    sqlite3_finalize(a.event);
    sqlite3_finalize(a.round);
    sqlite3_finalize(a.put);
    free(a.all);
    if (a.starved)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "what a guest's perf has read");
    return good ? CS_OK : cs_diag_set(diag, CS_ERR_IO, "truth.sqlite", "%s", sqlite3_errmsg(db));
}
