#define _POSIX_C_SOURCE 200809L
#include "guest/imc/place.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/beside.h"
#include "guest/imc/parts.h"

#define PLUGIN "guest_power.so"

static cs_status missing(const char *path, cs_diag *diag)
{
    return cs_diag_set(
        diag, CS_ERR_UNSUPPORTED, path,
        "is not there: `tools/setup.sh linux` fetches it, and builds what goes with it");
}

static void cache(char out[], size_t size)
{
    const char *linux_folder = getenv("CS_LINUX"), *caches = getenv("XDG_CACHE_HOME");

    if (linux_folder != NULL)
        snprintf(out, size, "%s", linux_folder);
    else if (caches != NULL)
        snprintf(out, size, "%s/countersink/linux", caches);
    else
        snprintf(out, size, "%s/.cache/countersink/linux",
                 getenv("HOME") != NULL ? getenv("HOME") : "");
}

void cs_power_beside(const cs_scenario *scenario, const char *file, char *out, size_t bytes)
{
    const bool whole = file[0] == '/';

    snprintf(out, bytes, "%s%s%s", whole ? "" : scenario->folder, whole ? "" : "/", file);
}

cs_status cs_power_find(cs_power_place *place, cs_diag *diag)
{
    static const char *const plugins[] = {".", CS_GUEST_INSTALLED, NULL};
    char folder[CS_GUEST_PATH - 64], pattern[CS_GUEST_PATH + 64];
    glob_t found;

    cache(folder, sizeof folder);
    snprintf(place->qemu, sizeof place->qemu, "%s/qemu", folder);
    snprintf(place->guest, sizeof place->guest, "%s/power", folder);
    cs_beside_program(place->plugin, sizeof place->plugin - sizeof PLUGIN, PLUGIN, plugins);
    strcat(place->plugin, place->plugin[0] != '\0' ? "/" PLUGIN : PLUGIN);
    snprintf(pattern, sizeof pattern, "%s/packages.lock", folder);
    if (access(pattern, R_OK) != 0)
        return missing(folder, diag);
    snprintf(pattern, sizeof pattern, "%s/boot/vmlinux-*", place->guest);
    if (glob(pattern, 0, NULL, &found) != 0)
        return missing(pattern, diag);
    snprintf(place->kernel, sizeof place->kernel, "%s", found.gl_pathv[0]);
    globfree(&found);
    return access(place->plugin, R_OK) == 0 ? CS_OK : missing(place->plugin, diag);
}
