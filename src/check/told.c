// SPDX-License-Identifier: Apache-2.0
/* Counts that software told, of all families that have some. */
#include "check/families.h"

static const cs_check_counted *counted_of(const cs_check_family *family, bool rotated)
{
    return rotated ? family->rotated : family->counted;
}

/* The condition of a family's rows. */
static void put_own(sqlite3_str *sql, const cs_check_counted *counted, bool rotated)
{
    if (counted->own != NULL) {
        sqlite3_str_appendf(sql, "(%s)", counted->own);
        return;
    }
    sqlite3_str_appendall(sql, "NOT (0");
    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES; i++) {
        const cs_check_counted *other = counted_of(cs_check_families[i], rotated);

        if (other != NULL && other->own != NULL)
            sqlite3_str_appendf(sql, " OR (%s)", other->own);
    }
    sqlite3_str_appendall(sql, ")");
}

cs_status cs_check_counts_told(cs_checking *check, bool rotated, const char *out, bool *any)
{
    const char *table = rotated ? "rotated" : "count";
    const char *between = "";
    cs_check_only only;
    char count[64], meant[64];
    cs_status status = cs_check_only_of(check, &only);

    *any = false;
    snprintf(count, sizeof count, "SELECT count(*) FROM truth.%s", table);
    if (status == CS_OK)
        status = cs_check_any(check, count, any);
    if (status != CS_OK || !*any)
        return status;
    sqlite3_str *sql = sqlite3_str_new(check->db);

    *any = false;
    sqlite3_str_appendf(sql, "CREATE TABLE %s AS ", out);
    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES; i++) {
        const cs_check_family *family = cs_check_families[i];
        const cs_check_counted *counted = counted_of(family, rotated);

        if (counted == NULL || !cs_check_means(&only, family, meant, sizeof meant))
            continue;
        sqlite3_str_appendf(sql,
                            "%sSELECT rowid AS seq, %s AS title, * FROM truth.%s WHERE %s AND ",
                            between, counted->name, table, meant);
        put_own(sql, counted, rotated);
        between = " UNION ALL ";
        *any = true;
    }
    if (*any)
        return cs_check_do_text(check, sql);
    sqlite3_free(sqlite3_str_finish(sql));
    return CS_OK;
}
