// SPDX-License-Identifier: Apache-2.0
/* What summary.json says of a run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check/impl.h"
#include "formats/common/json_read.h"

static cs_status read_file(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *diag)
{
    FILE *file = ctx;

    *got = fread(out, 1, bytes, file);
    return ferror(file)
               ? cs_diag_set(diag, CS_ERR_IO, "summary.json", "cannot read: %s", strerror(errno))
               : CS_OK;
}

/* One object of "managers", from its '{' on. */
static cs_status take_manager(cs_checking *check, cs_json *json, sqlite3_stmt *insert)
{
    static const char *const keys[] = {"transactions", "bytes", "errors", "wait_cycles",
                                       "held_cycles"};
    cs_json_token token;
    cs_status status;

    sqlite3_clear_bindings(insert);
    while ((status = cs_json_next(json, &token, check->diag)) == CS_OK &&
           token.kind == CS_JSON_KEY) {
        int at = strcmp(token.text, "manager") == 0 ? 1 : 0;

        for (int i = 0; i < 5; i++)
            if (strcmp(token.text, keys[i]) == 0)
                at = i + 2;
        status = cs_json_next(json, &token, check->diag);
        if (status == CS_OK && at == 1)
            cs_check_text(check, insert, at, token.text, -1);
        else if (status == CS_OK && at > 1)
            sqlite3_bind_int64(insert, at, strtoll(token.text, NULL, 10));
        if (status == CS_OK)
            status = cs_json_skip(json, &token, check->diag);
        if (status != CS_OK)
            return status;
    }
    return status == CS_OK ? cs_check_insert(check, insert, NULL, 0) : status;
}

static cs_status take_managers(cs_checking *check, cs_json *json)
{
    sqlite3_stmt *insert = NULL;
    cs_json_token token;
    cs_status status = cs_check_prepare(check, "INSERT INTO said VALUES(?,?,?,?,?,?)", &insert);

    while (status == CS_OK && (status = cs_json_next(json, &token, check->diag)) == CS_OK &&
           token.kind == CS_JSON_OBJECT)
        status = take_manager(check, json, insert);
    sqlite3_finalize(insert);
    return status;
}

cs_status cs_check_summary(cs_checking *check, int64_t *software_ns)
{
    char path[4096];
    cs_json *json = NULL;
    cs_json_token token = {0};
    cs_status status = cs_check_do(check, "DROP TABLE IF EXISTS said; "
                                          "CREATE TABLE said(manager TEXT, transactions INTEGER, "
                                          "bytes INTEGER, errors INTEGER, wait INTEGER, held "
                                          "INTEGER)");

    *software_ns = -1;
    snprintf(path, sizeof path, "%s/summary.json", check->request->truth);
    FILE *file = status == CS_OK ? fopen(path, "rb") : NULL;
    if (file == NULL)
        return status != CS_OK ? status : cs_check_cannot_open(check, path);
    const cs_byte_source source = {read_file, file};
    status = cs_json_open(&source, path, false, &json, check->diag);
    if (status == CS_OK)
        status = cs_json_next(json, &token, check->diag);
    while (status == CS_OK && (status = cs_json_next(json, &token, check->diag)) == CS_OK &&
           token.kind == CS_JSON_KEY) {
        const bool software = strcmp(token.text, "software_ns") == 0;
        const bool managers = strcmp(token.text, "managers") == 0;

        status = cs_json_next(json, &token, check->diag);
        if (status == CS_OK && software)
            *software_ns = strtoll(token.text, NULL, 10);
        if (status == CS_OK)
            status = managers && token.kind == CS_JSON_ARRAY
                         ? take_managers(check, json)
                         : cs_json_skip(json, &token, check->diag);
    }
    cs_json_close(json);
    fclose(file);
    return status;
}
