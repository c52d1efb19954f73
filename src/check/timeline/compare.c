// SPDX-License-Identifier: Apache-2.0
/* What a timeline's events are held against, and how, where they are in table ev. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/families.h"
#include <countersink/base/probe/probe.h>

#define MOST_US INT64_C(1000000000000) /* of a window */

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

/* Cycle `x`, of `length` characters, as the file has it. */
static void put_time(sqlite3_str *out, const cs_timeline_plan *plan, const char *x, int length)
{
    if (plan->ns)
        sqlite3_str_appendf(out, "(%.*s/%lld*1000+%.*s%%%lld*1000/%lld)", length, x, plan->mhz,
                            length, x, plan->mhz, plan->mhz);
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
static void put(sqlite3_str *out, const cs_timeline_plan *plan, const char *sql)
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
        } else if ((ends = skip(&sql, "$U(")) || skip(&sql, "$T(")) {
            const int length = (int)strcspn(sql, ")");

            if (plan->ns || !ends) {
                sqlite3_str_appendall(out, ends ? ", " : "");
                put_time(out, plan, sql, length);
                sqlite3_str_appendall(out, ends ? " AS ends" : "");
            }
            sql += length + 1;
        } else if (*sql != '\0') {
            sqlite3_str_append(out, sql++, 1);
        }
    }
}

static void put_have(sqlite3_str *out, const cs_timeline_plan *plan, size_t nr)
{
    const cs_timeline_comparison *c = plan->comparisons[nr];
    const cs_timeline_events *have = &c->have;

    if (have->select != NULL)
        put(out, plan, have->select);
    else
        sqlite3_str_appendf(
            out, "SELECT place, offset, %s AS grp, %s AS cpu, %s%s FROM ev WHERE kind=%Q",
            have->group != NULL ? have->group : "NULL", have->cpu ? "cpu" : "NULL", c->columns,
            plan->ns && have->ends ? ", time+duration AS ends" : "", have->kind);
}

static bool has_time(const cs_timeline_comparison *c)
{
    return strstr(c->columns, "time") != NULL;
}

void cs_timeline_put_want(sqlite3_str *out, const cs_timeline_plan *plan, size_t nr)
{
    const cs_timeline_comparison *c = plan->comparisons[nr];

    if (plan->wanted[nr] && plan->windowed && has_time(c)) {
        sqlite3_str_appendall(out, "SELECT * FROM (");
        put(out, plan, c->want);
        sqlite3_str_appendf(out, ") WHERE time>=%lld AND time<%lld", plan->from, plan->to);
    } else if (plan->wanted[nr]) {
        put(out, plan, c->want);
    } else {
        sqlite3_str_appendall(out, "SELECT * FROM (");
        put_have(out, plan, nr);
        sqlite3_str_appendall(out, ") WHERE 0");
    }
}

cs_status cs_timeline_make(cs_checking *check, const cs_timeline_plan *plan, size_t nr)
{
    static const char make[] = "DROP TABLE IF EXISTS %s; CREATE TABLE %s AS ";
    sqlite3_str *sql = sqlite3_str_new(check->db);

    sqlite3_str_appendf(sql, make, "have", "have");
    put_have(sql, plan, nr);
    const cs_status status = cs_check_do_text(check, sql);

    if (status != CS_OK)
        return status;
    sql = sqlite3_str_new(check->db);
    sqlite3_str_appendf(sql, make, "want", "want");
    cs_timeline_put_want(sql, plan, nr);
    return cs_check_do_text(check, sql);
}

void cs_timeline_columns(const cs_timeline_plan *plan, size_t nr, char *out, size_t bytes)
{
    const cs_timeline_comparison *c = plan->comparisons[nr];

    snprintf(out, bytes, "%s%s", c->columns, plan->ns && c->have.ends ? ", ends" : "");
}

/* ---- which comparisons ---- */

static cs_status has_table(cs_checking *check, const char *table, bool *is_there)
{
    char sql[128];

    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM truth.sqlite_master WHERE type='table' AND name='%s'", table);
    return cs_check_any(check, sql, is_there);
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

/* What trace.json says of the window that was asked for. Sums of the whole run are none of it. */
static cs_status find_window(cs_checking *check, cs_timeline_plan *plan)
{
    char text[64];
    int64_t from = -1, to = -1, unit = plan->ns ? 1000 : plan->mhz;
    const cs_status status = cs_check_written(check, "window", text, sizeof text);

    if (status != CS_OK || text[0] == '\0')
        return status;
    if (sscanf(text, "%15" SCNd64 ":%15" SCNd64, &from, &to) != 2 || from < 0 || to <= from ||
        to > MOST_US)
        return cs_diag_set(check->diag, CS_ERR_FORMAT, check->request->truth,
                           "trace.json: window is \"%s\", expected \"FROM:TO\" in microseconds",
                           text);
    plan->windowed = true;
    plan->from = from * unit;
    plan->to = to * unit;
    plan->software = -1;
    return CS_OK;
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

cs_status cs_timeline_plan_of(cs_checking *check, bool ns, cs_timeline_plan *plan)
{
    const cs_timeline_format format = ns ? CS_TIMELINE_PERFETTO : CS_TIMELINE_CTF;
    const cs_timeline_comparison *c;
    const cs_check_family *family = NULL;
    bool there[] = {
        [CS_TIMELINE_ALWAYS] = true, [CS_TIMELINE_SUMMARY] = false, [CS_TIMELINE_TABLE] = true};

    *plan = (cs_timeline_plan){.ns = ns, .software = -1};
    cs_status status = cs_check_summary(check, &plan->software);
    if (status == CS_OK)
        status = cs_check_clock(check, &plan->mhz);
    if (status == CS_OK)
        status = find_window(check, plan);
    if (status == CS_OK)
        status = cs_check_any(check, "SELECT value FROM truth.run WHERE key='samples_truth'",
                              &there[CS_TIMELINE_ROWS]);
    if (status == CS_OK)
        status = cs_check_any(check, "SELECT count(*) FROM said", &there[CS_TIMELINE_SUMMARY]);
    for (unsigned at = 0; status == CS_OK && (c = next_of(at, format, &family)) != NULL;
         at = c->place) {
        bool is_there = false, *wanted = &plan->wanted[plan->nr_comparisons];

        if (there[c->of] && (!plan->windowed || has_time(c) || strcmp(c->what, "tracks") == 0))
            status = get_ready(check, family, &is_there);
        if (status != CS_OK || !is_there || plan->nr_comparisons == CS_TIMELINE_MOST)
            continue;
        plan->comparisons[plan->nr_comparisons++] = c;
        *wanted = true;
        if (c->of == CS_TIMELINE_TABLE)
            status = has_table(check, c->what, wanted);
    }
    return status;
}

/* ---- the whole, of table ev ---- */

cs_status cs_timeline_software(cs_checking *check, const cs_timeline_plan *plan)
{
    char sql[512];

    if (plan->software < 0)
        return CS_OK;
    snprintf(sql, sizeof sql,
             "SELECT 'software ns', NULL, NULL, %" PRId64 ", n, n<>%" PRId64
             ", 'exact', NULL FROM (SELECT coalesce(sum(cycles),0)*1000/%" PRId64
             " AS n FROM ev WHERE kind='software')",
             plan->software, plan->software, plan->mhz);
    return cs_check_rows(check, sql);
}

static cs_status compare_all(cs_checking *check, bool ns)
{
    cs_timeline_plan plan;
    char columns[128];
    /* Each comparison looks at one kind. */
    cs_status status = cs_check_do(check, "CREATE INDEX ev_kind ON ev(kind)");

    if (status == CS_OK)
        status = cs_timeline_plan_of(check, ns, &plan);
    for (size_t i = 0; status == CS_OK && i < plan.nr_comparisons; i++) {
        status = cs_timeline_make(check, &plan, i);
        cs_timeline_columns(&plan, i, columns, sizeof columns);
        if (status == CS_OK)
            status = cs_check_same(check, plan.comparisons[i]->what, columns);
    }
    return status == CS_OK ? cs_timeline_software(check, &plan) : status;
}

cs_status cs_check_timeline(cs_checking *check, const cs_timeline_reader *reader)
{
    cs_byte_source source = cs_check_source(check);
    cs_evtable table;
    bool agrees = false;
    cs_status status = CS_OK;

    if (reader->resolve_one != NULL)
        status = cs_timeline_stream(check, reader, &agrees);
    if (agrees)
        return status;
    status = cs_evtable_open(check, NULL, &table);
    if (status == CS_OK)
        status = reader->read(check, &source, &table);
    cs_evtable_close(&table);
    if (status == CS_OK)
        status = reader->resolve(check);
    return status == CS_OK ? compare_all(check, reader->ns) : status;
}
