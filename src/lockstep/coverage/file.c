// SPDX-License-Identifier: Apache-2.0
/* A file of hits: a line that says what it is, then "UNIT GROUP NAME MODEL RTL", with tabs, a point each
 * that was reached. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/output.h"
#include "base/line.h"
#include "base/number.h"
#include "lockstep/coverage/coverage_impl.h"
#include "lockstep/die/tool.h"

#define MAGIC "countersink coverage 1"
#define PATH_BYTES 4096
#define COLUMNS 5
#define LINE_BYTES 4096u

static cs_coverage_point *find(cs_coverage *c, char *const column[COLUMNS])
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->points[i].unit, column[0]) == 0 &&
            strcmp(c->points[i].group, column[1]) == 0 && strcmp(c->points[i].name, column[2]) == 0)
            return &c->points[i];
    return NULL;
}

/* False: it is not such a line. */
static bool read_line(cs_coverage *c, char *line, size_t *unknown)
{
    char *column[COLUMNS];
    cs_coverage_point *point;
    uint64_t hits[CS_COVERAGE_SIDES];
    size_t nr = 0;

    for (char *at = line; nr < COLUMNS; at++) {
        column[nr++] = at;
        at += strcspn(at, "\t");
        if (*at == '\0')
            break;
        *at = '\0';
    }
    if (nr != COLUMNS || !cs_number_of(column[3], UINT64_MAX, &hits[CS_COVERAGE_MODEL]) ||
        !cs_number_of(column[4], UINT64_MAX, &hits[CS_COVERAGE_RTL]))
        return false;
    point = find(c, column);
    *unknown += point == NULL;
    for (size_t side = 0; point != NULL && side < CS_COVERAGE_SIDES; side++)
        point->hits[side] += hits[side];
    return true;
}

static cs_status read_open(cs_coverage *c, FILE *file, const char *path, size_t *unknown,
                           cs_diag *diag)
{
    char line[LINE_BYTES];
    unsigned nr = 0;
    bool good;
    cs_status status = CS_OK;

    while (status == CS_OK && cs_next_line(file, line, sizeof line, &good)) {
        if (nr++ == 0 ? strcmp(line, MAGIC) != 0 : !good || !read_line(c, line, unknown))
            status =
                cs_diag_set_at(diag, CS_ERR_FORMAT, path, nr, 1, "found '%.80s', expected %s", line,
                               nr == 1 ? "'" MAGIC "'" : "unit, group, name and two counts");
    }
    if (status == CS_OK && ferror(file))
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot be read");
    if (status == CS_OK && nr == 0)
        return cs_diag_set(diag, CS_ERR_FORMAT, path, "is empty, expected '" MAGIC "'");
    return status;
}

cs_status cs_coverage_read_file(cs_coverage *c, const char *path, size_t *unknown, cs_diag *diag)
{
    FILE *file = fopen(path, "r");
    cs_status status;

    *unknown = 0;
    if (file == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "%s", strerror(errno));
    status = read_open(c, file, path, unknown, diag);
    fclose(file);
    return status;
}

static cs_status write_file(const cs_coverage *c, const char *path, cs_diag *diag)
{
    FILE *file = fopen(path, "w");
    bool good = file != NULL && fprintf(file, MAGIC "\n") > 0;

    for (size_t i = 0; i < c->count && good; i++) {
        const cs_coverage_point *p = &c->points[i];

        if (p->hits[CS_COVERAGE_MODEL] != 0 || p->hits[CS_COVERAGE_RTL] != 0)
            good = fprintf(file, "%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\n", p->unit, p->group,
                           p->name, p->hits[CS_COVERAGE_MODEL], p->hits[CS_COVERAGE_RTL]) > 0;
    }
    if (file != NULL)
        good = fclose(file) == 0 && good;
    return good ? CS_OK : cs_diag_set(diag, CS_ERR_IO, path, "%s", strerror(errno));
}

static cs_status replace(const cs_coverage *c, const char *path, cs_diag *diag)
{
    cs_output *made = NULL;
    cs_status status = cs_output_begin(path, CS_OUTPUT_REPLACE, &made, diag);

    if (status == CS_OK)
        status = write_file(c, cs_output_path(made, CS_OUTPUT_FIRST), diag);
    if (status == CS_OK)
        return cs_output_commit(made, diag);
    cs_output_abandon(made);
    return status;
}

/* Both together, while nobody else adds to it. */
static cs_status add(const cs_coverage *c, cs_coverage *sum, const char *path, cs_diag *diag)
{
    size_t unknown;
    cs_status status = CS_OK;

    for (size_t i = 0; i < c->count; i++)
        memcpy(sum->points[i].hits, c->points[i].hits, sizeof c->points[i].hits);
    if (access(path, F_OK) == 0)
        status = cs_coverage_read_file(sum, path, &unknown, diag);
    return status == CS_OK ? replace(sum, path, diag) : status;
}

cs_status cs_coverage_add_to_file(const cs_coverage *c, const char *path, cs_diag *diag)
{
    char lock[PATH_BYTES];
    cs_coverage *sum;
    cs_status status = cs_coverage_create(&sum, diag);

    if (status != CS_OK)
        return status;
    snprintf(lock, sizeof lock, "%s.lock", path);
    const int fd = cs_tool_lock(lock);
    if (fd < 0) {
        status = cs_diag_set(diag, CS_ERR_IO, lock, "%s", strerror(errno));
    } else {
        status = add(c, sum, path, diag);
        unlink(lock);
        close(fd);
    }
    cs_coverage_destroy(sum);
    return status;
}
