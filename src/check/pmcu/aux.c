// SPDX-License-Identifier: Apache-2.0
/* A PMCU's AUX dump: each value, or where the truth has not kept them, the sums. */
#include <string.h>

#include "check/checker.h"
#include "check/pmcu/pmcu.h"
#include "formats/formats.h"
#include "formats/pmcu/read/aux.h"
#include "scenario/corepmu/arm_events.h"

/* Of one die after another. */
static const char tables[] =
    "DROP TABLE IF EXISTS found;DROP TABLE IF EXISTS ids;DROP TABLE IF EXISTS both;"
    "DROP TABLE IF EXISTS judged;CREATE TABLE found(subsample INTEGER, cpu INTEGER, position "
    "INTEGER, event INTEGER, value "
    "INTEGER, offset INTEGER);"
    "CREATE TABLE ids(subsample INTEGER, cpu INTEGER, cid1 INTEGER, cid2 INTEGER, offset INTEGER)";

typedef struct filler {
    cs_checking *check;
    sqlite3_stmt *value;
    sqlite3_stmt *ids;
    cs_check_pmcu_places places;
} filler;

static cs_status add_row(filler *fill, const cs_pmcu_aux_subsample *sub, uint64_t number,
                         uint32_t place, const cs_pmcu_aux_row *row)
{
    const int64_t cpu = fill->places.first_cpu + place;
    const int64_t ids[] = {(int64_t)number, cpu, row->cid1, row->cid2, (int64_t)sub->offset};
    cs_status status = cs_check_insert(fill->check, fill->ids, ids, 5);

    for (uint32_t i = 0; i < sub->nr_events + sub->has_cycles && status == CS_OK; i++) {
        const bool cycles = i == sub->nr_events;
        const int64_t values[] = {(int64_t)number,
                                  cpu,
                                  i,
                                  cycles ? -1 : (int64_t)sub->events[i],
                                  (int64_t)(cycles ? row->cycles : row->counts[i]),
                                  (int64_t)sub->offset};

        status = cs_check_insert(fill->check, fill->value, values, 6);
    }
    return status;
}

static cs_status fill_tables(filler *fill, cs_pmcu_aux *aux)
{
    const cs_pmcu_aux_header *header = cs_pmcu_aux_get_header(aux);
    const cs_pmcu_aux_subsample *sub = NULL;
    cs_diag diag = {0};
    cs_status status = CS_OK;

    while (status == CS_OK) {
        cs_status read = cs_pmcu_aux_next(aux, &sub, &diag);

        if (read != CS_OK)
            return cs_check_ended(fill->check, read, &diag);
        if (sub == NULL)
            break;
        const uint64_t number = sub->sample * header->subsamples_per_sample + sub->subsample;
        for (uint32_t cpu = 0; cpu < header->nr_cpu && status == CS_OK; cpu++) {
            cs_pmcu_aux_row row;

            cs_pmcu_aux_get_row(aux, cpu, &row);
            status = add_row(fill, sub, number, cpu, &row);
        }
    }
    return status;
}

/* Where nothing was handed over, and nothing is there, there is nothing to compare. */
static const char rows_of_subsamples[] =
    "SELECT 'subsamples', NULL, NULL, n, m, CASE WHEN n+m>0 THEN abs(n-m) END, 'exact', NULL FROM "
    "(SELECT count(*) AS n FROM kept_subsample), (SELECT count(DISTINCT subsample) AS m FROM "
    "found)";

static const char *const prepare[] = {
    "CREATE INDEX found_at ON found(subsample, cpu, position)",
    "CREATE TABLE both AS SELECT t.event, t.cpu, t.position, t.subsample, t.value AS expected, "
    "f.value AS found, f.offset, f.event AS fe FROM kept_sample t LEFT JOIN found f "
    "USING(subsample, cpu, position) UNION ALL SELECT f.event, f.cpu, f.position, f.subsample, "
    "NULL, f.value, f.offset, f.event FROM found f WHERE NOT EXISTS(SELECT 1 FROM kept_sample t "
    "WHERE t.subsample=f.subsample AND t.cpu=f.cpu AND t.position=f.position)",
    /* The cycle counter has the last position of its subsample. */
    "CREATE TABLE judged AS SELECT b.*, expected IS NOT found OR (fe >= 0 AND fe <> event) AS "
    "wrong, CASE WHEN fe=-1 THEN 'cycles' ELSE coalesce(e.name, printf('" CS_ARM_EVENT_NUMBER
    "', event)) END AS "
    "name FROM both b LEFT JOIN truth.event e ON e.id=b.event",
    "CREATE INDEX wrong_at ON judged(name, cpu, subsample) WHERE wrong",
};

/* A value has 64 bits. */
#define VALUE(column) "iif(" column " IS NULL, 'nothing', printf('%llu', " column "))"
static const char rows_of_values[] =
    "SELECT 'values', name, cpu, sum(expected IS NOT NULL), sum(found IS NOT NULL), sum(wrong), "
    "'exact', (SELECT printf('byte %lld, subsample %lld: %s instead of %s', k.offset, "
    "k.subsample, " VALUE("k.found") ", " VALUE(
        "k.expected") ") FROM judged k WHERE k.wrong AND "
                      "k.name=j.name AND k.cpu=j.cpu ORDER BY k.subsample LIMIT 1) FROM judged j "
                      "GROUP BY name, cpu "
                      "ORDER BY min(position), name, cpu";

static const char rows_of_ids[] =
    "SELECT 'context ids', NULL, w.cpu, count(*), sum(i.cid1 IS NOT NULL), sum(w.cid1 IS NOT "
    "i.cid1 OR "
    "w.cid2 IS NOT i.cid2), 'exact', (SELECT printf('byte %lld, subsample %lld: %lld/%lld instead "
    "of "
    "%lld/%lld', k.offset, k.subsample, k.cid1, k.cid2, v.cid1, v.cid2) FROM kept_window v JOIN "
    "ids "
    "k USING(subsample, cpu) WHERE v.cpu=w.cpu AND (v.cid1<>k.cid1 OR v.cid2<>k.cid2) ORDER BY "
    "k.subsample LIMIT 1) FROM kept_window w LEFT JOIN ids i USING(subsample, cpu) GROUP BY w.cpu "
    "ORDER BY w.cpu";

/* docs/hw/pmcu.md, "What is written": nothing but zeros. */
static const char rows_of_failed[] =
    "SELECT 'failed slots', NULL, f.cpu, count(*), sum(i.cid1 IS NOT NULL), sum(i.cid1 IS NOT 0 "
    "OR i.cid2 IS NOT 0), 'exact', NULL FROM kept_failed f LEFT JOIN ids i "
    "USING(subsample, cpu) WHERE f.subsample<=(SELECT max(subsample) FROM found) GROUP BY f.cpu "
    "ORDER BY f.cpu";

static const char rows_of_sums[] =
    "SELECT 'sums', e.name, NULL, e.sampled, s.total, e.sampled IS NOT s.total, 'exact', NULL FROM "
    "kept_event e LEFT JOIN (SELECT event, sum(value) AS total FROM found GROUP BY event) s ON "
    "s.event=CASE WHEN e.cycle_counter THEN -1 ELSE e.number END ORDER BY e.id";

/* Of several dies the command says whose they are ("pmcu_driver.sccl2"), or the file's name. */
static cs_status die_of(cs_checking *check, int64_t *die)
{
    const char *slash = strrchr(check->request->path, '/');
    bool several = false;
    cs_status status = cs_check_pmcu_several(check, &several);

    *die = -1;
    if (status != CS_OK || !several)
        return status;
    status = cs_check_pmcu_die(check, check->request->command, die);
    if (status == CS_OK && *die < 0)
        status = cs_check_pmcu_die(check, slash != NULL ? slash : check->request->path, die);
    if (status == CS_OK && *die < 0)
        status = cs_diag_set(check->diag, CS_ERR_USAGE, check->request->path,
                             "the truth is of several dies: expected one as --command "
                             "pmcu_driver.sccl<N>, or sccl<N> in the file's name");
    return status;
}

static cs_status check_file(cs_checking *check)
{
    const cs_byte_source source = cs_check_source(check);
    int64_t die;
    const cs_status status = die_of(check, &die);

    return status == CS_OK ? cs_check_pmcu_bytes(check, &source, die) : status;
}

/* As when it is decoded; there the default is another. */
static cs_status check_slots(const char *text, cs_diag *diag)
{
    return cs_format_option_at(cs_format_named("pmcu-aux"), 0)->check(text, diag);
}

static const cs_format_option option_slots = {
    .name = "slots",
    .value = "N",
    .help = "pmcu-aux: CPU slots per cluster (default: as in the truth)",
    .check = check_slots};

static const cs_format_option *const options[] = {&option_slots, NULL};

const cs_checker cs_checker_pmcu_aux = {.check = check_file, .options = options};

cs_status cs_check_pmcu_bytes(cs_checking *check, const cs_byte_source *source, int64_t die)
{
    filler fill = {.check = check};
    cs_pmcu_aux *aux = NULL;
    int64_t slots;
    bool cut = false, any = false;
    cs_status status = cs_check_pmcu_cpus(check, die, &fill.places);

    slots = cs_check_given_number(check, &option_slots, fill.places.slots);
    if (status == CS_OK)
        status = cs_pmcu_aux_open(source, check->request->path, (unsigned)slots, &aux, check->diag);
    if (status == CS_OK)
        status = cs_check_do(check, tables);
    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO found VALUES(?,?,?,?,?,?)", &fill.value);
    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO ids VALUES(?,?,?,?,?)", &fill.ids);
    if (status == CS_OK)
        status = fill_tables(&fill, aux);
    sqlite3_finalize(fill.value);
    sqlite3_finalize(fill.ids);
    cs_pmcu_aux_close(aux);
    if (status == CS_OK)
        status = cs_check_pmcu_kept(check, die, &cut);
    if (status == CS_OK)
        status = cs_check_rows(check, rows_of_subsamples);
    if (status == CS_OK)
        status = cs_check_any(check, "SELECT EXISTS(SELECT 1 FROM kept_sample)", &any);
    if (status == CS_OK && any)
        status = CS_CHECK_DO_ALL(check, prepare);
    if (status == CS_OK && any)
        status = cs_check_rows(check, rows_of_values);
    if (status == CS_OK && !cut)
        status = cs_check_rows(check, rows_of_sums);
    if (status == CS_OK)
        status = cs_check_rows(check, rows_of_ids);
    return status == CS_OK ? cs_check_rows(check, rows_of_failed) : status;
}
