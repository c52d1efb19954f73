// SPDX-License-Identifier: Apache-2.0
/* Databases that somebody else may have made. Ours are tables and their indices; a view or a trigger runs
 * SQL of its author, without end if he likes, wherever somebody reads or writes a table. */
#ifndef CS_BASE_SQLITE_FOREIGN_H
#define CS_BASE_SQLITE_FOREIGN_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

#include <countersink/base/diag.h>

/* The longest text or blob; a small file can ask for one of a gigabyte. */
#define CS_SQLITE_LONGEST (64 << 20)

/* What the last error is: of the machine, or of what the file holds (a table or column that is missing, a
 * damaged page). Who retries errors of the machine must not be led to retry the others. */
static inline cs_status cs_sqlite_status(sqlite3 *db)
{
    switch (sqlite3_errcode(db) & 0xff) {
    case SQLITE_NOMEM:
        return CS_ERR_NO_MEMORY;
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_PROTOCOL:
        return CS_ERR_IO;
    default:
        return CS_ERR_FORMAT;
    }
}

/* For a diagnostic, with what cs_sqlite_stranger has found. */
#define CS_SQLITE_STRANGER "has a %s: expected tables and indices only"

/* Before the first statement: views and triggers do not run, and what is computed stays small. Those of the
 * connection's own temporary database do. */
static inline void cs_sqlite_distrust(sqlite3 *db)
{
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, CS_SQLITE_LONGEST);
}

/* Whether `schema` has what is none of ours; "view 'point'" in `out`. A file that SQLite cannot read has
 * nothing: the next statement says why. */
static inline bool cs_sqlite_stranger(sqlite3 *db, const char *schema, char *out, size_t bytes)
{
    sqlite3_stmt *query = NULL;
    char sql[240];
    bool found;

    snprintf(sql, sizeof sql,
             "SELECT CASE type WHEN 'table' THEN 'virtual table' ELSE type END, name FROM "
             "%s.sqlite_master WHERE type NOT IN ('table','index') OR sql LIKE 'create virtual%%'",
             schema);
    found = sqlite3_prepare_v2(db, sql, -1, &query, NULL) == SQLITE_OK &&
            sqlite3_step(query) == SQLITE_ROW;
    if (found)
        snprintf(out, bytes, "%s '%s'", (const char *)sqlite3_column_text(query, 0),
                 (const char *)sqlite3_column_text(query, 1));
    sqlite3_finalize(query);
    return found;
}

#endif
