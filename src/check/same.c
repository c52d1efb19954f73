// SPDX-License-Identifier: Apache-2.0
/* Two tables that must have the same rows: `want` of the truth and `have` of the file. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "check/impl.h"

/* "time 5 ip 0x7 .." of the columns, as an expression. */
static void text_of(char *out, size_t bytes, const char *columns)
{
    char names[256], *rest = NULL;
    const char *bar = "";

    snprintf(names, sizeof names, "%s", columns);
    out[0] = '\0';
    for (char *name = strtok_r(names, ", ", &rest); name != NULL;
         name = strtok_r(NULL, ", ", &rest)) {
        const size_t at = strlen(out);
        const char *form = strcmp(name, "ip") == 0 ? "0x%llx" : "%lld";

        snprintf(out + at, bytes - at,
                 "%s'%s '||CASE typeof(%s) WHEN 'integer' THEN printf('%s',%s) ELSE "
                 "coalesce(%s,'-') END",
                 bar, name, name, form, name, name);
        bar = "||' '||";
    }
}

/* A row that is there n times on one side and m on the other differs |n - m| times: a changed row is
 * one that is missing and one that is too many. */
cs_status cs_check_same(cs_checking *check, const char *what, const char *columns)
{
    char text[2048], sql[8192];
    bool same = false;
    cs_status status = cs_check_do(check, "DROP TABLE IF EXISTS other");

    snprintf(sql, sizeof sql,
             "SELECT (SELECT rows_hash(grp, cpu, %s) FROM want) = "
             "(SELECT rows_hash(grp, cpu, %s) FROM have)",
             columns, columns);
    if (status == CS_OK)
        status = cs_check_any(check, sql, &same);

    text_of(text, sizeof text, columns);
    snprintf(sql, sizeof sql,
             "CREATE TABLE other AS SELECT grp, cpu, %s, sum(w) AS w, sum(h) AS h, min(place) AS "
             "place, min(offset) AS offset FROM (SELECT grp, cpu, %s, 1 AS w, 0 AS h, NULL AS "
             "place, NULL AS offset FROM want UNION ALL SELECT grp, cpu, %s, 0, 1, place, offset "
             "FROM have)%s GROUP BY grp, cpu, %s HAVING sum(w)<>sum(h)",
             columns, columns, columns, same ? " WHERE 0" : "", columns);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    if (status == CS_OK)
        status = cs_check_do(check, "CREATE INDEX other_at ON other(grp, cpu)");
    snprintf(
        sql, sizeof sql,
        "WITH n AS (SELECT grp, cpu, sum(w) AS w, sum(h) AS h FROM (SELECT grp, cpu, 1 AS w, 0 AS "
        "h FROM want UNION ALL SELECT grp, cpu, 0, 1 FROM have) GROUP BY grp, cpu) "
        "SELECT '%s', grp, cpu, w, h, coalesce((SELECT sum(abs(o.w-o.h)) FROM other o WHERE o.grp "
        "IS n.grp AND o.cpu IS n.cpu),0), 'exact', "
        "coalesce((SELECT 'missing: '||%s||'; ' FROM other o WHERE o.w>o.h AND o.grp IS n.grp AND "
        "o.cpu IS n.cpu ORDER BY %s LIMIT 1),'')||"
        "coalesce((SELECT coalesce(place||' ','')||'byte '||offset||': '||%s||CASE w WHEN 0 THEN ' "
        "is "
        "not in the truth' ELSE ' is there '||h||' times' END FROM other o WHERE o.h>o.w AND o.grp "
        "IS n.grp AND o.cpu IS n.cpu ORDER BY offset "
        "LIMIT 1),'') FROM n ORDER BY grp, cpu",
        what, text, columns, text);
    return status == CS_OK ? cs_check_rows(check, sql) : status;
}
