#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "results/run_impl.h"

/* Whether a file lies beneath the scenario, and has no name of the run folder's own. */
static bool can_be_copied(const char *name)
{
    static const char *const own[] = {
        "scenario.yaml", "summary.txt", "summary.json", "truth.sqlite", "samples.aux", "probe.csv",
        "damage.json",   "trace.json",  "memory",       "records",      "csv"};
    const size_t first = strcspn(name, "/");

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strlen(own[i]) == first && strncmp(name, own[i], first) == 0)
            return false;
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return false;
    }
    return true;
}

/* What the scenario names lies beside it: so it can be run again from here. */
static cs_status copy_files(cs_running *r, cs_diag *diag)
{
    const cs_scenario *s = r->scenario;
    cs_status status = CS_OK;

    for (size_t i = 0; i < s->nr_files && status == CS_OK; i++) {
        char from[sizeof s->folder + PATH_MAX];

        if (s->files[i][0] == '/')
            continue;
        if (!can_be_copied(s->files[i])) {
            cs_running_warn(r->result,
                            "%s is not copied into the run folder, whose scenario.yaml names it",
                            s->files[i]);
            continue;
        }
        snprintf(from, sizeof from, "%s/%s", s->folder, s->files[i]);
        status = cs_run_folder_copy(r->folder, from, s->files[i], diag);
    }
    return status;
}

cs_status cs_running_open_files(cs_running *r, cs_diag *diag)
{
    cs_status status = cs_run_folder_begin(r->options->output, r->scenario->name, &r->folder, diag);
    FILE *yaml = NULL;

    if (status == CS_OK)
        status = cs_run_folder_open(r->folder, "scenario.yaml", &yaml, diag);
    if (status == CS_OK) {
        fputs(r->scenario->yaml, yaml);
        status = cs_run_folder_close(r->folder, "scenario.yaml", yaml, diag);
    }
    if (status == CS_OK)
        status = copy_files(r, diag);
    if (status == CS_OK && cs_scenario_drives_pmcu(r->scenario))
        status = cs_run_folder_open(r->folder, "samples.aux", &r->aux, diag);
    if (status == CS_OK && r->scenario->imc->cores != 0 && r->scenario->keep->records)
        status = cs_record_files_create(r->folder, &r->records, diag);
    if (status == CS_OK && r->scenario->harts->count != 0 && r->scenario->keep->records)
        status = cs_ring_files_create(r->folder, &r->rings, diag);
    if (status == CS_OK && r->scenario->keep->probe) {
        status = cs_run_folder_open(r->folder, "probe.csv", &r->probe, diag);
        if (status == CS_OK)
            fputs("cycle,kind,source,index,write,resp,addr,value,bytes,request,grant\n", r->probe);
    }
    if (status == CS_OK)
        status = cs_truth_create(cs_run_folder_path(r->folder, "truth.sqlite"), r->scenario,
                                 &r->truth, diag);
    return status;
}

cs_status cs_running_close_records(cs_running *r, cs_diag *diag)
{
    cs_record_files *records = r->records;
    cs_ring_files *rings = r->rings;
    cs_status status = CS_OK, closed = CS_OK;

    r->records = NULL;
    r->rings = NULL;
    if (records != NULL)
        status = cs_record_files_close(records, diag);
    if (rings != NULL)
        closed = cs_ring_files_close(rings, status == CS_OK ? diag : NULL);
    return status != CS_OK ? status : closed;
}

/* Touched memory as one file for each stretch of pages: memory/<address>.bin. */
static cs_status write_memory(cs_running *r, cs_diag *diag)
{
    cs_memory *memory = r->environment->memory;
    size_t pages = cs_memory_pages(memory);
    cs_status status = cs_run_folder_subfolder(r->folder, "memory", diag);
    FILE *file = NULL;
    char name[64] = "";
    uint64_t expected = 0;

    for (size_t i = 0; i < pages && status == CS_OK; i++) {
        uint64_t addr;
        const uint8_t *bytes = cs_memory_page(memory, i, &addr);

        if (file == NULL || addr != expected) {
            if (file != NULL)
                status = cs_run_folder_close(r->folder, name, file, diag);
            file = NULL;
            snprintf(name, sizeof name, "memory/0x%012" PRIx64 ".bin", addr);
            if (status == CS_OK)
                status = cs_run_folder_open(r->folder, name, &file, diag);
        }
        if (status == CS_OK)
            fwrite(bytes, 1, CS_MEMORY_PAGE_BYTES, file);
        expected = addr + CS_MEMORY_PAGE_BYTES;
    }
    if (file != NULL) {
        cs_status closed = cs_run_folder_close(r->folder, name, file, diag);

        status = status != CS_OK ? status : closed;
    }
    return status;
}

cs_status cs_running_write_summary(cs_running *r, const cs_summary *summary, cs_diag *diag)
{
    static const char *const names[] = {"summary.txt", "summary.json"};
    cs_status status = CS_OK;

    for (int json = 0; json < 2 && status == CS_OK; json++) {
        FILE *file;

        status = cs_run_folder_open(r->folder, names[json], &file, diag);
        if (status != CS_OK)
            return status;
        if (json)
            cs_summary_json(summary, file);
        else
            cs_summary_text(summary, 0, file);
        status = cs_run_folder_close(r->folder, names[json], file, diag);
    }
    return status;
}

cs_status cs_running_close_files(cs_running *r, cs_diag *diag)
{
    FILE *aux = r->aux, *probe = r->probe;
    cs_status status = cs_running_close_records(r, diag);

    if (status == CS_OK && r->scenario->keep->memory)
        status = write_memory(r, diag);
    if (status == CS_OK && aux != NULL) {
        r->aux = NULL;
        status = cs_run_folder_close(r->folder, "samples.aux", aux, diag);
    }
    if (status == CS_OK && probe != NULL) {
        r->probe = NULL;
        status = cs_run_folder_close(r->folder, "probe.csv", probe, diag);
    }
    return status;
}
