// SPDX-License-Identifier: Apache-2.0
/* Samples of perf that software took, of all families that have some. */
#include "check/families.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/perf_commands.h"

/* Every column is an INTEGER: columns that are not alike are not looked up by an index. */
static const char table[] =
    "CREATE TABLE sampled(seq INTEGER, command INTEGER, event INTEGER, ring INTEGER, cpu INTEGER, "
    "time INTEGER, ip INTEGER, pid INTEGER, misc INTEGER, mode INTEGER, guest INTEGER, period "
    "INTEGER, chain TEXT)";

static cs_status add(cs_checking *check, const cs_check_family *family,
                     const cs_check_sampled_how *how, const char *meant)
{
    const cs_check_sampled *sampled = family->sampled;
    const cs_scenario *s = NULL;
    int64_t mhz, start = 0;
    char misc[512] = "misc";
    const cs_status status = cs_check_load(check, &s);

    if (status != CS_OK)
        return status;
    mhz = s->bus->clock_mhz;
    if (sampled->clock != NULL)
        sampled->clock(s, &mhz, &start);
    if (how->mixed && sampled->mode != NULL)
        sampled->mode(s, misc, sizeof misc);
    sqlite3_str *sql = sqlite3_str_new(check->db);

    sqlite3_str_appendf(
        sql, "INSERT INTO sampled SELECT seq+(%u<<40), command+%lld, event, %d, cpu, ",
        family->place, (long long)family->place * CS_CHECK_COMMANDS, sampled->rings);
    if (how->ns)
        sqlite3_str_appendf(sql, "(time-(%lld))/%lld*1000+(time-(%lld))%%%lld*1000/%lld",
                            (long long)start, (long long)mhz, (long long)start, (long long)mhz,
                            (long long)mhz);
    else
        sqlite3_str_appendall(sql, "time");
    sqlite3_str_appendf(sql, ", ip, pid, %s, misc, guest, period, chain FROM (%s) WHERE %s", misc,
                        sampled->rows_of != NULL ? sampled->rows_of(s) : sampled->rows, meant);
    if (check->partial)
        sqlite3_str_appendall(sql, " AND cpu IN (SELECT cpu FROM found)");
    return cs_check_do_text(check, sql);
}

/* Where the truth of samples has no periods they are as the commands have them. */
static cs_status add_periods(cs_checking *check, const cs_check_family *family)
{
    const cs_section *const *sections = family->sections;
    cs_perf_command command;
    cs_status status = CS_OK;

    for (size_t k = 0; sections != NULL && sections[k] != NULL; k++)
        for (unsigned nr = 0;
             status == CS_OK && cs_perf_command_of(check->scenario, sections[k], nr, &command);
             nr++) {
            sqlite3_str *sql = sqlite3_str_new(check->db);

            sqlite3_str_appendf(
                sql, "UPDATE sampled SET period=%lld WHERE command=%lld AND period IS NULL",
                (long long)command.period, (long long)family->place * CS_CHECK_COMMANDS + nr);
            status = cs_check_do_text(check, sql);
        }
    return status;
}

/* The truth can have samples of the family. */
static cs_status has_some(cs_checking *check, const cs_check_sampled *sampled, bool *any)
{
    sqlite3_str *sql;
    char *text;
    cs_status status;

    *any = true;
    if (sampled->table == NULL)
        return CS_OK;
    sql = sqlite3_str_new(check->db);
    sqlite3_str_appendf(sql, "SELECT count(*) FROM truth.sqlite_master WHERE name='%s'",
                        sampled->table);
    text = sqlite3_str_finish(sql);
    status = text != NULL ? cs_check_any(check, text, any)
                          : cs_diag_set(check->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
    sqlite3_free(text);
    return status;
}

cs_status cs_check_samples_told(cs_checking *check, const cs_check_sampled_how *how)
{
    bool without = false, there;
    cs_check_only only;
    char meant[64];
    cs_status status = cs_check_only_of(check, &only);

    if (status == CS_OK)
        status = cs_check_do(check, table);
    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES && status == CS_OK; i++) {
        const cs_check_family *family = cs_check_families[i];

        if (family->sampled == NULL || (how->of != NULL && how->of != family) ||
            !cs_check_means(&only, family, meant, sizeof meant))
            continue;
        status = has_some(check, family->sampled, &there);
        if (status != CS_OK || !there)
            continue;
        status = add(check, family, how, meant);
        if (status == CS_OK)
            status = cs_check_any(
                check, "SELECT EXISTS(SELECT 1 FROM sampled WHERE period IS NULL)", &without);
        if (status == CS_OK && without)
            status = add_periods(check, family);
    }
    return status;
}

cs_status cs_check_tabled_samples(cs_checking *check)
{
    cs_check_only only;
    char meant[64];
    cs_status status = cs_check_samples_told(check, &(cs_check_sampled_how){.ns = true});

    if (status == CS_OK)
        status = cs_check_do(check, "INSERT INTO want(seq, guest, command, event, ring, cpu, time, "
                                    "pid, mode, ip, period, chain) SELECT seq, guest, command, "
                                    "event, ring, cpu, time, pid, misc, ip, period, "
                                    "nullif(chain,'') FROM sampled");
    if (status == CS_OK)
        status = cs_check_only_of(check, &only);
    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES && status == CS_OK; i++)
        if (cs_check_families[i]->tabled != NULL &&
            cs_check_means(&only, cs_check_families[i], meant, sizeof meant))
            status = cs_check_families[i]->tabled(check);
    return status;
}
