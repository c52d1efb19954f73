// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/files/output.h"
#include "report/page.h"
#include "report/source.h"
#include "results/figures.h"

#define PATH_BYTES 4400u

static cs_status put_data(const cs_report_request *request, FILE *out, cs_diag *diag)
{
    cs_status status = CS_OK;

    fputs("{\"version\":", out);
    cs_json_string(out, request->version);
    fputs(",\"title\":", out);
    if (request->title != NULL)
        cs_json_string(out, request->title);
    else
        fputs("null", out);
    fputs(",\"items\":[\n", out);
    for (size_t i = 0; i < request->nr_inputs && status == CS_OK; i++) {
        cs_report_source what;

        fputs(i != 0 ? ",\n" : "", out);
        status = cs_report_what(request->inputs[i], &what, diag);
        if (status == CS_OK)
            status = cs_report_put(request->inputs[i], what, out, diag);
    }
    fputs("]}", out);
    return status;
}

/* Within a script nothing may look like its end. All that begins with < stands in strings. */
static void copy_data(FILE *from, FILE *to)
{
    char bytes[1u << 16];
    size_t got;

    while ((got = fread(bytes, 1, sizeof bytes, from)) != 0) {
        const char *rest = bytes, *end = bytes + got, *at;

        while ((at = memchr(rest, '<', (size_t)(end - rest))) != NULL) {
            fwrite(rest, 1, (size_t)(at - rest), to);
            fputs("\\u003c", to);
            rest = at + 1;
        }
        fwrite(rest, 1, (size_t)(end - rest), to);
    }
}

static void make_title(const cs_report_request *request, char *out, size_t size)
{
    size_t used = 0;

    *out = '\0';
    if (request->title != NULL) {
        snprintf(out, size, "%s", request->title);
        return;
    }
    for (size_t i = 0; i < request->nr_inputs && used + 80 < size; i++) {
        char name[64];

        cs_report_name(request->inputs[i], name, sizeof name);
        used += (size_t)snprintf(out + used, size - used, "%s%s", i != 0 ? ", " : "", name);
    }
}

static cs_status write_page(const cs_report_request *request, const cs_output *output,
                            cs_diag *diag)
{
    char data_path[PATH_BYTES], title[512];
    cs_status status = CS_OK;

    make_title(request, title, sizeof title);
    snprintf(data_path, sizeof data_path, "%s/data.json", cs_output_scratch(output));
    FILE *data = fopen(data_path, "w+b");
    FILE *page = fopen(cs_output_path(output, CS_OUTPUT_FIRST), "wb");
    bool good = data != NULL && page != NULL;

    if (good)
        status = put_data(request, data, diag);
    if (good && status == CS_OK) {
        good = fflush(data) == 0 && !ferror(data) && fseek(data, 0, SEEK_SET) == 0;
        cs_report_page_begin(page, title);
        copy_data(data, page);
        cs_report_page_end(page);
        good &= !ferror(page) && !ferror(data);
    }
    const int why = errno;

    if (data != NULL)
        fclose(data);
    if (page != NULL && fclose(page) != 0)
        good = false;
    if (status == CS_OK && !good)
        status = cs_diag_set(diag, CS_ERR_IO, request->output, "cannot write: %s",
                             strerror(why != 0 ? why : errno));
    return status;
}

cs_status cs_report_write(const cs_report_request *request, cs_diag *diag)
{
    cs_output *output = NULL;
    cs_report_source what;
    cs_status status = CS_OK;

    /* What is wrong with an input is said before anything else is asked for. */
    for (size_t i = 0; i < request->nr_inputs && status == CS_OK; i++)
        status = cs_report_what(request->inputs[i], &what, diag);
    if (status != CS_OK)
        return status;
    status =
        cs_output_begin(request->output, request->replace ? CS_OUTPUT_REPLACE : 0, &output, diag);
    if (status == CS_OK)
        status = write_page(request, output, diag);
    if (status == CS_OK)
        status = cs_output_commit(output, diag);
    else
        cs_output_abandon(output);
    return status;
}
