/* What a timeline's events, in table ev, are held against. */
#include <inttypes.h>
#include <string.h>

#include "base/probe/probe.h"
#include "check/families.h"

/* ---- what stands for what in a comparison's SELECTs ---- */

/* Of what there is one, there is no number. */
static void put_unit(sqlite3_str *out)
{
    const char *name;
    unsigned count;

    sqlite3_str_appendall(out, "unit||CASE WHEN unit IN (''");
    for (size_t i = 0; (name = cs_probe_unit_at(i, &count)) != NULL; i++)
        if (count == 1)
            sqlite3_str_appendf(out, ",%Q", name);
    sqlite3_str_appendall(out, ") THEN '' ELSE ' '||number END");
}

static void put_track(sqlite3_str *out)
{
    sqlite3_str_appendall(out, "CASE WHEN 0 THEN track");
    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES; i++)
        for (size_t k = 0; k < cs_check_families[i]->nr_kinds; k++) {
            const cs_timeline_kind *kind = &cs_check_families[i]->kinds[k];

            if (kind->track != NULL)
                sqlite3_str_appendf(out, " WHEN kind=%Q AND %s THEN %s", kind->kind,
                                    kind->where != NULL ? kind->where : "1", kind->track);
        }
    sqlite3_str_appendall(out, " ELSE track END");
}

/* How times are in the file. */
typedef struct times {
    bool ns; /* else cycles */
    int64_t mhz;
} times;

/* Cycle `x`, of `length` characters, as the file has it. */
static void put_time(sqlite3_str *out, const times *as, const char *x, int length)
{
    if (as->ns)
        sqlite3_str_appendf(out, "(%.*s/%lld*1000+%.*s%%%lld*1000/%lld)", length, x, as->mhz,
                            length, x, as->mhz, as->mhz);
    else
        sqlite3_str_appendf(out, "(%.*s)", length, x);
}

static bool skip(const char **sql, const char *what)
{
    const size_t length = strlen(what);
    const bool is_there = strncmp(*sql, what, length) == 0;

    *sql += is_there ? length : 0;
    return is_there;
}

/* `sql` with what begins with $ written out. */
static void put(sqlite3_str *out, const times *as, const char *sql)
{
    while (*sql != '\0') {
        const size_t plain = strcspn(sql, "$");
        bool ends;

        sqlite3_str_append(out, sql, (int)plain);
        sql += plain;
        if (skip(&sql, "$UNIT")) {
            put_unit(out);
        } else if (skip(&sql, "$TRACK")) {
            put_track(out);
        } else if (skip(&sql, "$ENDS")) {
            sqlite3_str_appendall(out, as->ns ? ", time+duration AS ends" : "");
        } else if ((ends = skip(&sql, "$U(")) || skip(&sql, "$T(")) {
            const int length = (int)strcspn(sql, ")");

            if (as->ns || !ends) {
                sqlite3_str_appendall(out, ends ? ", " : "");
                put_time(out, as, sql, length);
                sqlite3_str_appendall(out, ends ? " AS ends" : "");
            }
            sql += length + 1;
        } else if (*sql != '\0') {
            sqlite3_str_append(out, sql++, 1);
        }
    }
}

static cs_status make(cs_checking *check, const char *table, const times *as, const char *select)
{
    sqlite3_str *sql = sqlite3_str_new(check->db);

    sqlite3_str_appendf(sql, "DROP TABLE IF EXISTS %s; CREATE TABLE %s AS ", table, table);
    put(sql, as, select);
    return cs_check_do_text(check, sql);
}

/* ---- the comparisons ---- */

static cs_status has_table(cs_checking *check, const char *table, bool *is_there)
{
    char sql[128];

    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM truth.sqlite_master WHERE type='table' AND name='%s'", table);
    return cs_check_any(check, sql, is_there);
}

static cs_status compare(cs_checking *check, const cs_timeline_comparison *c, const times *as)
{
    const bool ends = as->ns && strstr(c->have, "$ENDS") != NULL;
    bool wanted = true;
    char columns[128];
    cs_status status = make(check, "have", as, c->have);

    if (status == CS_OK && c->of == CS_TIMELINE_TABLE)
        status = has_table(check, c->what, &wanted);
    if (status == CS_OK)
        status = make(check, "want", as, wanted ? c->want : "SELECT * FROM have WHERE 0");
    snprintf(columns, sizeof columns, "%s%s", c->columns, ends ? ", ends" : "");
    return status == CS_OK ? cs_check_same(check, c->what, columns) : status;
}

/* The first behind `place` of all families, for files of the format; NULL: there are no more. */
static const cs_timeline_comparison *next_of(unsigned place, cs_timeline_format format,
                                             const cs_check_family **of)
{
    const cs_timeline_comparison *next = NULL;

    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES; i++)
        for (size_t k = 0; k < cs_check_families[i]->nr_comparisons; k++) {
            const cs_timeline_comparison *c = &cs_check_families[i]->comparisons[k];

            if ((c->formats & (unsigned)format) != 0 && c->place > place &&
                (next == NULL || c->place < next->place)) {
                next = c;
                *of = cs_check_families[i];
            }
        }
    return next;
}

/* Has the truth what the family's comparisons are of? The family is made ready then. */
static cs_status get_ready(cs_checking *check, const cs_check_family *family, bool *is_there)
{
    char sql[128];
    cs_status status = CS_OK;

    *is_there = true;
    if (family->comparisons_of != NULL) {
        snprintf(sql, sizeof sql, "SELECT count(*) FROM truth.sqlite_master WHERE name='%s'",
                 family->comparisons_of);
        status = cs_check_any(check, sql, is_there);
    }
    return status == CS_OK && *is_there && family->prepare != NULL
               ? cs_check_do(check, family->prepare)
               : status;
}

static cs_status compare_all(cs_checking *check, const times *as)
{
    const cs_timeline_format format = as->ns ? CS_TIMELINE_PERFETTO : CS_TIMELINE_CTF;
    const cs_timeline_comparison *c;
    const cs_check_family *family = NULL;
    bool there[] = {
        [CS_TIMELINE_ALWAYS] = true, [CS_TIMELINE_SUMMARY] = false, [CS_TIMELINE_TABLE] = true};
    cs_status status = cs_check_any(check, "SELECT value FROM truth.run WHERE key='samples_truth'",
                                    &there[CS_TIMELINE_ROWS]);

    if (status == CS_OK)
        status = cs_check_any(check, "SELECT count(*) FROM said", &there[CS_TIMELINE_SUMMARY]);
    for (unsigned at = 0; status == CS_OK && (c = next_of(at, format, &family)) != NULL;
         at = c->place) {
        bool is_there = false;

        if (there[c->of])
            status = get_ready(check, family, &is_there);
        if (status == CS_OK && is_there)
            status = compare(check, c, as);
    }
    return status;
}

cs_status cs_check_timeline(cs_checking *check, bool ns)
{
    times as = {.ns = ns};
    int64_t software = -1;
    char sql[512];
    cs_status status = cs_check_summary(check, &software);

    if (status == CS_OK) /* each comparison looks at one kind */
        status = cs_check_do(check, "CREATE INDEX ev_kind ON ev(kind)");
    if (status == CS_OK)
        status = cs_check_clock(check, &as.mhz);
    if (status == CS_OK)
        status = compare_all(check, &as);
    if (status != CS_OK || software < 0)
        return status;
    snprintf(sql, sizeof sql,
             "SELECT 'software ns', NULL, NULL, %" PRId64 ", n, n<>%" PRId64
             ", 'exact', NULL FROM (SELECT coalesce(sum(cycles),0)*1000/%" PRId64
             " AS n FROM ev WHERE kind='software')",
             software, software, as.mhz);
    return cs_check_rows(check, sql);
}
