// SPDX-License-Identifier: Apache-2.0
#include "results/common/activity_rows.h"

static const cs_truth_table state_table = {
    "CREATE TABLE state(unit TEXT, number INTEGER, start INTEGER, stop INTEGER, state TEXT)",
    "INSERT INTO state VALUES(?,?,?,?,?)"};
static const cs_truth_table line_table = {
    "CREATE TABLE line(unit TEXT, number INTEGER, line INTEGER, start INTEGER, stop INTEGER)",
    "INSERT INTO line VALUES(?,?,?,?,?)"};
static const cs_truth_table access_table = {
    "CREATE TABLE access(unit TEXT, number INTEGER, cycle INTEGER, direction TEXT, offset INTEGER, "
    "value INTEGER, bytes INTEGER, response TEXT)",
    "INSERT INTO access VALUES(?,?,?,?,?,?,?,?)"};
static const cs_truth_table transfer_table = {
    "CREATE TABLE transfer(manager TEXT, request INTEGER, granted INTEGER, stop INTEGER, direction "
    "TEXT, address INTEGER, bytes INTEGER, response TEXT)",
    "INSERT INTO transfer VALUES(?,?,?,?,?,?,?,?)"};
static const cs_truth_table load_table = {
    "CREATE TABLE load(manager TEXT, start INTEGER, stop INTEGER, held INTEGER, PRIMARY "
    "KEY(manager, start)) WITHOUT ROWID",
    "INSERT INTO load VALUES(?,?,?,?) ON CONFLICT DO UPDATE SET held = held + excluded.held"};
static const cs_truth_table software_table = {
    "CREATE TABLE software(cpu INTEGER, start INTEGER, stop INTEGER, who TEXT)",
    "INSERT INTO software VALUES(?,?,?,?)"};
const cs_truth_table *const cs_activity_tables[CS_ACTIVITY_TABLES + 1] = {
    &state_table, &line_table, &access_table, &transfer_table, &load_table, &software_table, NULL};

static void name(cs_truth_rows *rows, cs_truth_unit_name unit)
{
    cs_truth_text(rows, 1, unit.unit);
    cs_truth_integers(rows, 2, (uint64_t[]){unit.number}, 1);
}

void cs_truth_state(cs_truth_rows *rows, cs_truth_unit_name unit, cs_truth_span span,
                    const char *state)
{
    name(rows, unit);
    cs_truth_integers(rows, 3, (uint64_t[]){span.start, span.stop}, 2);
    cs_truth_text(rows, 5, state);
    cs_truth_put(rows);
}

void cs_truth_line(cs_truth_rows *rows, cs_truth_unit_name unit, cs_truth_span span, unsigned line)
{
    name(rows, unit);
    cs_truth_integers(rows, 3, (uint64_t[]){line, span.start, span.stop}, 3);
    cs_truth_put(rows);
}

void cs_truth_access(cs_truth_rows *rows, cs_truth_unit_name unit, const cs_probe_record *r)
{
    name(rows, unit);
    cs_truth_integers(rows, 3, (uint64_t[]){r->cycle}, 1);
    cs_truth_text(rows, 4, cs_truth_direction(r));
    cs_truth_integers(rows, 5, (uint64_t[]){r->addr, r->value, r->bytes}, 3);
    cs_truth_text(rows, 8, cs_truth_response(r->resp));
    cs_truth_put(rows);
}

void cs_truth_transfer(cs_truth_rows *rows, const char *manager, const cs_probe_record *r)
{
    cs_truth_text(rows, 1, manager);
    cs_truth_integers(rows, 2, (uint64_t[]){r->request, r->grant, r->cycle + 1}, 3);
    cs_truth_text(rows, 5, cs_truth_direction(r));
    cs_truth_integers(rows, 6, (uint64_t[]){r->addr, r->bytes}, 2);
    cs_truth_text(rows, 8, cs_truth_response(r->resp));
    cs_truth_put(rows);
}

void cs_truth_load(cs_truth_rows *rows, const char *manager, cs_truth_span span, uint64_t held)
{
    cs_truth_text(rows, 1, manager);
    cs_truth_integers(rows, 2, (uint64_t[]){span.start, span.stop, held}, 3);
    cs_truth_put(rows);
}

void cs_truth_software(cs_truth_rows *rows, unsigned cpu, cs_truth_span span, const char *who)
{
    cs_truth_integers(rows, 1, (uint64_t[]){cpu, span.start, span.stop}, 3);
    cs_truth_text(rows, 4, who);
    cs_truth_put(rows);
}
