// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "guest/place.h"

#include <elf.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/beside.h"
#include "guest/hpm/programs.h"
#include "guest/imc/programs.h"
#include "guest/parts.h"
#include "scenario/guest/guest_spec.h"
#include "scenario/hpm/harts_spec.h"
#include <countersink/models/hpm/hpm.h>

/* The same scenario gives the same samples twice: no random addresses, no clock but instructions. The
 * kernel's self-tests of ciphers would be half of all instructions of a boot. */
#define BOOT_WORDS " quiet nokaslr norandmaps panic=-1 cryptomgr.notests"

static const cs_guest_machine machines[] = {
    [CS_GUEST_POWER9] = {.kind = "power9",
                         .set = "linux",
                         .environment = "CS_LINUX",
                         .files = "power",
                         .kernel = "boot/vmlinux-*",
                         .elf = EM_PPC64,
                         .qemu = "qemu-system-ppc64",
                         .plugin = "guest_power.so",
                         .busybox = "bin/busybox",
                         .libraries = {"usr/lib/powerpc64le-linux-gnu",
                                       "lib/powerpc64le-linux-gnu"},
                         .loader_folder = "lib64",
                         .loader = {"lib64/ld64.so.2", "/usr/lib/ld64.so.2"},
                         .boot_words = "console=hvc0" BOOT_WORDS,
                         .make_put = cs_power_make_put,
                         .make_program = cs_power_make_program},
    [CS_GUEST_RISCV64] = {.kind = "riscv64",
                          .set = "linux-riscv",
                          .environment = "CS_LINUX_RISCV",
                          .files = "riscv",
                          .kernel = "boot/vmlinux-*",
                          .elf = EM_RISCV,
                          .qemu = "qemu-system-riscv64",
                          .plugin = "guest_riscv.so",
                          .busybox = "usr/bin/busybox",
                          .libraries = {"usr/lib/riscv64-linux-gnu"},
                          .loader_folder = "lib",
                          .loader = {"lib/ld-linux-riscv64-lp64d.so.1",
                                     "/usr/lib/ld-linux-riscv64-lp64d.so.1"},
                          .boot_words = "console=ttyS0" BOOT_WORDS,
                          .make_put = cs_riscv_make_put,
                          .make_program = cs_riscv_make_program},
};

const cs_guest_machine *cs_guest_machine_of(unsigned kind)
{
    return &machines[kind];
}

static cs_status missing(const cs_guest_machine *machine, const char *path, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_UNSUPPORTED, path,
                       "is missing; `tools/setup.sh %s` fetches it and builds what it needs",
                       machine->set);
}

static void cache(const cs_guest_machine *machine, char out[], size_t size)
{
    const char *own = getenv(machine->environment), *caches = getenv("XDG_CACHE_HOME");

    if (own != NULL)
        snprintf(out, size, "%s", own);
    else if (caches != NULL)
        snprintf(out, size, "%s/countersink/%s", caches, machine->set);
    else
        snprintf(out, size, "%s/.cache/countersink/%s",
                 getenv("HOME") != NULL ? getenv("HOME") : "", machine->set);
}

void cs_guest_beside(const cs_scenario *scenario, const char *file, char *out, size_t bytes)
{
    const bool whole = file[0] == '/';

    snprintf(out, bytes, "%s%s%s", whole ? "" : scenario->folder, whole ? "" : "/", file);
}

bool cs_guest_has_firmware(const cs_scenario *scenario)
{
    return scenario->guest->elf[0] == '\0' || scenario->guest->firmware[0] != '\0';
}

bool cs_guest_has_hypervisor(const cs_scenario *scenario)
{
    return !cs_guest_has_firmware(scenario) && scenario->harts->modes == CS_HPM_MODES_H;
}

cs_status cs_guest_find(const cs_guest_machine *machine, cs_guest_place *place, cs_diag *diag)
{
    static const char *const plugins[] = {".", CS_GUEST_INSTALLED, NULL};
    char folder[CS_GUEST_PATH - 64], pattern[CS_GUEST_PATH + 64], beside[CS_GUEST_PATH - 32];
    glob_t found;

    place->machine = machine;
    cache(machine, folder, sizeof folder);
    snprintf(place->qemu, sizeof place->qemu, "%s/qemu", folder);
    snprintf(place->guest, sizeof place->guest, "%s/%s", folder, machine->files);
    cs_beside_program(beside, sizeof beside, machine->plugin, plugins);
    snprintf(place->plugin, sizeof place->plugin, "%s%s%s", beside, beside[0] != '\0' ? "/" : "",
             machine->plugin);
    snprintf(pattern, sizeof pattern, "%s/packages.lock", folder);
    if (access(pattern, R_OK) != 0)
        return missing(machine, folder, diag);
    snprintf(pattern, sizeof pattern, "%s/%s", place->guest, machine->kernel);
    if (glob(pattern, 0, NULL, &found) != 0)
        return missing(machine, pattern, diag);
    snprintf(place->kernel, sizeof place->kernel, "%s", found.gl_pathv[0]);
    snprintf(place->symbols, sizeof place->symbols, "%s", place->kernel);
    globfree(&found);
    return access(place->plugin, R_OK) == 0 ? CS_OK : missing(machine, place->plugin, diag);
}
