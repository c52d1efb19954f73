// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "guest/guest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files/remove.h"
#include "base/wall.h"
#include "guest/hpm/parts.h"
#include "guest/imc/parts.h"
#include "guest/kernel_image.h"
#include "guest/log.h"
#include "guest/symfs.h"
#include "results/run_folder.h"
#include "scenario/guest/guest_spec.h"
#include "scenario/yaml/shared.h"

#define WORK "work"
#define SYMFS "symfs"
#define STATUS "status" /* of the script, as the guest puts it out */

/* ---- the run folder ---- */

static cs_status put_scenario(const cs_scenario *s, cs_run_folder *folder, cs_diag *diag)
{
    FILE *yaml;
    cs_status status = cs_run_folder_open(folder, "scenario.yaml", &yaml, diag);

    if (status != CS_OK)
        return status;
    fputs(cs_scenario_body(s->yaml), yaml);
    status = cs_run_folder_close(folder, "scenario.yaml", yaml, diag);
    for (size_t i = 0; i < s->nr_files && status == CS_OK; i++) {
        char from[sizeof s->folder + CS_FILE_BYTES];

        if (s->files[i][0] == '/' || strstr(s->files[i], "..") != NULL)
            continue;
        snprintf(from, sizeof from, "%s/%s", s->folder, s->files[i]);
        status = cs_run_folder_copy(folder, from, s->files[i], diag);
    }
    return status;
}

static cs_status name_files(cs_run_folder *folder, cs_guest_files *files, cs_diag *diag)
{
    const int bytes =
        snprintf(files->folder, sizeof files->folder, "%s", cs_run_folder_path(folder, WORK));

    if (bytes >= (int)sizeof files->folder || strchr(files->folder, ',') != NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, files->folder,
                           "is too long, or has a comma, which QEMU does not take");
    snprintf(files->initrd, sizeof files->initrd, "%s/initrd", files->folder);
    snprintf(files->tree, sizeof files->tree, "%s/tree", files->folder);
    snprintf(files->flash, sizeof files->flash, "%s/flash", files->folder);
    snprintf(files->qemu_said, sizeof files->qemu_said, "%s/qemu", files->folder);
    snprintf(files->console, sizeof files->console, "%s",
             cs_run_folder_path(folder, "console.txt"));
    snprintf(files->symfs, sizeof files->symfs, "%s", cs_run_folder_path(folder, SYMFS));
    return CS_OK;
}

/* The status of the script, or of a program for bare harts, which comes out as the last. */
static cs_status look_at_status(const cs_guest_files *files, bool bare, cs_diag *diag)
{
    const char *what = bare ? "program" : "script";
    char path[CS_GUEST_PATH + 64], text[80];
    int number = -1;

    snprintf(path, sizeof path, "%s/%s%s", files->folder, CS_GUEST_OUT, STATUS);
    FILE *file = fopen(path, "r");
    const bool any = file != NULL && fscanf(file, "%d", &number) == 1;

    if (file != NULL)
        fclose(file);
    snprintf(text, sizeof text, "ended before its %s did", what);
    if (!any)
        return cs_guest_fail(files, text, diag);
    if (number == 0)
        return CS_OK;
    snprintf(text, sizeof text, "its %s ended with status %d", what, number);
    return cs_guest_fail(files, text, diag);
}

/* What the guest has put out, into the run folder. */
static cs_status take_out(const cs_guest_files *files, cs_run_folder *folder, cs_diag *diag)
{
    static const char *const own[] = {
        "scenario.yaml", "truth.sqlite", "summary.json", "console.txt", WORK, SYMFS, STATUS};
    DIR *all = opendir(files->folder);
    const struct dirent *entry;
    cs_status status = CS_OK;

    while (all != NULL && status == CS_OK && (entry = readdir(all)) != NULL) {
        char from[CS_GUEST_PATH + 300];
        const char *name = entry->d_name + strlen(CS_GUEST_OUT);
        bool is_own = strncmp(entry->d_name, CS_GUEST_OUT, strlen(CS_GUEST_OUT)) != 0;

        for (size_t i = 0; i < sizeof own / sizeof own[0] && !is_own; i++)
            is_own = strcmp(name, own[i]) == 0;
        if (is_own || name[0] == '.')
            continue;
        snprintf(from, sizeof from, "%s/%s", files->folder, entry->d_name);
        status = cs_run_folder_copy(folder, from, name, diag);
    }
    if (all != NULL)
        closedir(all);
    return status;
}

/* ---- the whole ---- */

static cs_status write_power(const cs_scenario *s, const cs_guest_place *place,
                             const cs_guest_files *files, const char *settings, cs_diag *diag)
{
    cs_status status = cs_power_write_settings(s, place, settings, diag);

    return status == CS_OK ? cs_power_write_flash(s, files->flash, diag) : status;
}

static void tell_stopped(const cs_guest_place *place, const cs_guest_files *files, cs_diag *diag)
{
    char log[CS_GUEST_PATH + 32];

    snprintf(log, sizeof log, "%s/%s", files->folder, CS_GUEST_LOG);
    cs_guest_tell_stopped(place, log, diag);
}

static cs_status bring_up(const cs_scenario *s, const cs_guest_place *place,
                          const cs_guest_files *files, const cs_guest_options *options,
                          cs_diag *diag)
{
    char settings[CS_GUEST_PATH + 32];
    const bool bare = s->guest->elf[0] != '\0', firmware = cs_guest_has_firmware(s);
    cs_status status;

    snprintf(settings, sizeof settings, "%s/%s", files->folder, CS_GUEST_SETTINGS);
    status = cs_guest_look_at_qemu(s, place, files, diag);
    if (status == CS_OK && !bare)
        status = cs_guest_write_initrd(s, place, options->shell, files, diag);
    if (status == CS_OK && s->guest->kind == CS_GUEST_POWER9)
        status = write_power(s, place, files, settings, diag);
    else if (status == CS_OK)
        status = cs_riscv_write_settings(s, place, settings, diag);
    if (status == CS_OK && firmware)
        status = cs_guest_dump_tree(s, place, files, diag);
    if (status == CS_OK && firmware)
        status = cs_guest_complete_tree(s, files->tree, diag);
    if (status != CS_OK)
        return status;
    status = cs_guest_run_qemu(s, place, files, options, diag);
    if (status != CS_OK)
        tell_stopped(place, files, diag);
    return status == CS_OK ? look_at_status(files, bare, diag) : status;
}

/* A kernel that is not an ELF file. */
static cs_status find_symbols(cs_guest_place *place, const cs_guest_files *files, cs_diag *diag)
{
    const int bytes =
        snprintf(place->symbols, sizeof place->symbols, "%s/kernel.elf", files->folder);

    if (bytes >= (int)sizeof place->symbols)
        return cs_diag_set(diag, CS_ERR_RANGE, files->folder, "is too long");
    return cs_kernel_image_symbols(place->kernel, place->symbols, diag);
}

/* ---- a guest that has failed ---- */

static bool has_begun(const cs_guest_files *files)
{
    struct stat console;

    return stat(files->console, &console) == 0 && console.st_size > 0;
}

/* The truth, if the plugin came to its end. */
static cs_status put_truth(const cs_scenario *s, const cs_guest_place *place,
                           const cs_guest_files *files, cs_run_folder *folder,
                           cs_guest_result *result, cs_diag *diag)
{
    char log[CS_GUEST_PATH + 32];

    snprintf(log, sizeof log, "%s/%s", files->folder, CS_GUEST_LOG);
    return cs_guest_write_truth(s, place, log, cs_run_folder_path(folder, "truth.sqlite"), result,
                                diag);
}

/* What there is to look for the reason in: a folder beside the one that the run would have had. Where it
 * cannot be made the error says no more than it would have said. */
static void keep_failed(const cs_scenario *s, const cs_guest_place *place,
                        const cs_guest_files *files, const char *name, cs_diag *diag)
{
    const size_t used = diag != NULL ? strlen(diag->text) : 0;
    char stem[CS_GUEST_PATH];
    cs_guest_result unused = {0};
    cs_run_folder *folder = NULL;

    if (!has_begun(files) || snprintf(stem, sizeof stem, "%s.failed", name) >= (int)sizeof stem ||
        cs_run_folder_begin_numbered(stem, &folder, NULL) != CS_OK)
        return;
    snprintf(stem, sizeof stem, "%s", cs_run_folder_name(folder));
    if (put_scenario(s, folder, NULL) != CS_OK || take_out(files, folder, NULL) != CS_OK ||
        cs_run_folder_copy(folder, files->console, "console.txt", NULL) != CS_OK) {
        cs_run_folder_abandon(folder);
        return;
    }
    if (put_truth(s, place, files, folder, &unused, NULL) != CS_OK)
        remove(cs_run_folder_path(folder, "truth.sqlite"));
    if (cs_run_folder_commit(folder, NULL) == CS_OK && diag != NULL)
        snprintf(diag->text + used, sizeof diag->text - used, "\nWhat it has left is in %s", stem);
}

static cs_status boot(const cs_scenario *s, cs_guest_place *place, cs_run_folder *folder,
                      const cs_guest_options *options, cs_guest_result *result, cs_diag *diag)
{
    cs_guest_files files;
    cs_status status = put_scenario(s, folder, diag);

    if (status == CS_OK)
        status = cs_run_folder_subfolder(folder, WORK, diag);
    if (status == CS_OK)
        status = cs_run_folder_subfolder(folder, SYMFS, diag);
    if (status == CS_OK)
        status = name_files(folder, &files, diag);
    if (status == CS_OK && s->guest->kind == CS_GUEST_RISCV64 && s->guest->elf[0] == '\0')
        status = find_symbols(place, &files, diag);
    if (status != CS_OK)
        return status;
    status = bring_up(s, place, &files, options, diag);
    if (status != CS_OK)
        keep_failed(s, place, &files, cs_run_folder_name(folder), diag);
    if (status == CS_OK)
        status = take_out(&files, folder, diag);
    if (status == CS_OK)
        status = put_truth(s, place, &files, folder, result, diag);
    if (status == CS_OK)
        status =
            cs_guest_write_summary(s, result, cs_run_folder_path(folder, "summary.json"), diag);
    if (status == CS_OK)
        status =
            cs_symfs_kernel(place->symbols, cs_run_folder_path(folder, SYMFS "/kallsyms"), diag);
    cs_remove_all(AT_FDCWD, files.folder);
    return status;
}

/* Files of the scenario's own, which must be of the guest's machine. */
static cs_status choose_files(const cs_scenario *s, cs_guest_place *place, cs_diag *diag)
{
    char firmware[CS_GUEST_PATH];
    const unsigned machine = place->machine->elf;
    cs_status status = CS_OK;

    const char *kernel = s->guest->elf[0] != '\0' ? s->guest->elf : s->guest->kernel;

    if (kernel[0] != '\0') {
        cs_guest_beside(s, kernel, place->kernel, sizeof place->kernel);
        snprintf(place->symbols, sizeof place->symbols, "%s", place->kernel);
        status = cs_guest_check_elf(place->kernel, machine, diag);
    }
    if (status == CS_OK && s->guest->firmware[0] != '\0') {
        cs_guest_beside(s, s->guest->firmware, firmware, sizeof firmware);
        status = cs_guest_check_elf(firmware, machine, diag);
    }
    return status;
}

cs_status cs_guest_boot(const cs_scenario *scenario, const cs_guest_options *options,
                        cs_guest_result *result, cs_diag *diag)
{
    const uint64_t begun = cs_wall_ns();
    cs_run_folder *folder = NULL;
    cs_guest_place place;
    cs_status status;

    memset(result, 0, sizeof *result);
    if (scenario->guest->kind == CS_GUEST_NONE)
        return cs_diag_set(diag, CS_ERR_SCENARIO, scenario->source,
                           "has no guest (guest.kind): `countersink run` simulates it");
    status = cs_guest_find(cs_guest_machine_of(scenario->guest->kind), &place, diag);
    if (status == CS_OK)
        status = choose_files(scenario, &place, diag);
    if (status == CS_OK)
        status = cs_run_folder_begin(options->output, scenario->name, &folder, diag);
    if (status == CS_OK) {
        status = boot(scenario, &place, folder, options, result, diag);
        snprintf(result->folder, sizeof result->folder, "%s", cs_run_folder_name(folder));
    }
    if (status == CS_OK) {
        status = cs_run_folder_commit(folder, diag);
        folder = NULL;
    }
    cs_run_folder_abandon(folder);
    result->wall_ns = cs_wall_ns() - begun;
    return status;
}

bool cs_guest_listed(size_t nr, cs_guest_row *out)
{
    static const struct {
        unsigned kind;
        const char *about;
    } rows[] = {
        {CS_GUEST_POWER9, "Linux on a POWER9; all of IMC, up to 8 CPUs"},
        {CS_GUEST_RISCV64, "Linux on RISC-V; hpm counters of a hart"},
    };
    cs_guest_place place;
    cs_diag diag = {0};

    if (nr >= sizeof rows / sizeof rows[0])
        return false;
    const cs_guest_machine *machine = cs_guest_machine_of(rows[nr].kind);

    *out = (cs_guest_row){.kind = machine->kind, .about = rows[nr].about};
    if (cs_guest_find(machine, &place, &diag) != CS_OK)
        cs_diag_print(&diag, out->missing, sizeof out->missing);
    return true;
}
