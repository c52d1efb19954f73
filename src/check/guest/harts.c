// SPDX-License-Identifier: Apache-2.0
/* What a RISC-V guest's own perf has counted and sampled, beside what its counters did: each count is what was
 * counted while its counter counted, each overflow is a sample, and where the hart takes interrupts that is
 * at once. What the guest's kernel loses is said with its cause. */
#include "check/guest/guest.h"

/* Overflows of the file's events, with what became of them. Where the hart takes no interrupts the driver
 * may stop the counter first: then there is no sample. */
static const char overflows[] =
    "CREATE TABLE overflow AS SELECT o.number, o.cycle, o.ip, o.function, o.takes, o.excess, "
    "n.name, "
    "r.number AS record, i.skid, s.overflow IS NOT NULL AND NOT o.takes AS stopped FROM "
    "truth.guest_overflow o JOIN "
    "own ON own.id=o.event JOIN names n ON n.fe=own.event LEFT JOIN truth.guest_record r ON "
    "r.session=o.number AND r.event=o.event LEFT JOIN truth.guest_interrupt i ON "
    "i.overflow=o.number LEFT JOIN truth.guest_stopped s ON s.overflow=o.number";

static const char rows_of_overflows[] =
    "SELECT 'overflows', name, NULL, count(*), sum(record IS NOT NULL), sum(record IS NULL AND NOT "
    "stopped), 'exact'||CASE WHEN sum(record IS NULL AND stopped)>0 THEN printf(', but for %lld of "
    "counters stopped before', sum(record IS NULL AND stopped)) ELSE '' END, max(CASE WHEN number="
    "bad THEN printf('overflow %lld, in %s, has no sample', number, function) END) FROM (SELECT *, "
    "min(CASE WHEN record IS NULL AND NOT stopped THEN number END) OVER (PARTITION BY name) AS bad "
    "FROM overflow) GROUP BY name";

/* Samples that no overflow has made. Firmware may start a counter whose OF it leaves set: the driver takes it
 * for one that has overflowed. */
static const char rows_of_made_up[] =
    "SELECT 'overflows', (SELECT unit FROM profile), NULL, 0, count(*), sum(NOT stale), 'exact'||"
    "CASE WHEN sum(stale)>0 THEN printf(', but for %lld of counters that the firmware started with "
    "OF set', sum(stale)) ELSE '' END, CASE WHEN sum(NOT stale)>0 THEN printf('sample %lld, at "
    "0x%llx, is of no overflow', min(CASE WHEN NOT stale THEN number END), min(CASE WHEN NOT stale "
    "THEN ip END)) END FROM (SELECT r.number, r.ip, r.number IN (SELECT record FROM "
    "truth.guest_stale) AS stale FROM truth.guest_record r JOIN own ON own.id=r.event WHERE "
    "r.session NOT IN (SELECT number FROM truth.guest_overflow)) HAVING count(*)>0";

static const char rows_of_skid[] =
    "SELECT 'skid', name, NULL, 0, max(CASE WHEN takes THEN max(coalesce(skid,0), excess) END), "
    "sum(takes AND max(coalesce(skid,0), excess)>0), printf('exact, of %lld; of %lld interrupts "
    "were off', sum(takes), sum(NOT takes)), max(CASE WHEN number=bad THEN printf('overflow %lld, "
    "in %s, is %lld late', number, function, max(coalesce(skid,0), excess)) END) FROM (SELECT *, "
    "min(CASE WHEN takes AND max(coalesce(skid,0), excess)>0 THEN number END) OVER (PARTITION BY "
    "name) AS bad FROM overflow) GROUP BY name HAVING sum(takes)>0";

/* Of perf's events, by what their counters have counted while they had them. */
static const char rows_of_counts[] =
    "SELECT 'counts', name, NULL, expected, found, expected IS NOT found, 'exact'||CASE WHEN "
    "shared THEN ', of turns' ELSE '' END, NULL FROM (SELECT n.name, (SELECT sum(count) FROM "
    "truth.guest_counted c JOIN own o ON o.id=c.event WHERE o.event=n.fe) AS expected, (SELECT "
    "sum(value) FROM stat s WHERE s.fe=n.fe) AS found, (SELECT sum(running<enabled) FROM stat s "
    "WHERE s.fe=n.fe)>0 AS shared FROM names n WHERE n.fe IN (SELECT event FROM own)) WHERE found "
    "IS "
    "NOT NULL";

cs_status cs_check_hart_counts(cs_checking *check)
{
    return cs_check_rows(check, rows_of_counts);
}

cs_status cs_check_hart_overflows(cs_checking *check)
{
    static const char *const rows[] = {rows_of_overflows, rows_of_made_up, rows_of_skid};
    bool known = false;
    cs_status status = cs_check_any(
        check, "SELECT count(*) FROM truth.sqlite_master WHERE name='guest_interrupt'", &known);

    if (status == CS_OK && known)
        status = cs_check_do(check, overflows);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && status == CS_OK && known; i++)
        status = cs_check_rows(check, rows[i]);
    return status;
}
