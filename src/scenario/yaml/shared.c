// SPDX-License-Identifier: Apache-2.0
#include "scenario/yaml/shared.h"

#include <stdio.h>
#include <string.h>

#include "base/files/beside.h"

bool cs_shared_root(char *out, size_t size)
{
    static const char *const places[] = {"..", CS_INSTALLED_DATA, NULL};

    return cs_beside_program(out, size, "configs/scenario.schema.json", places);
}

bool cs_scenario_file(const char *folder, const char *name, char *out, size_t size)
{
    const char *end = name[0] == '<' ? strchr(name, '>') : NULL;
    char root[2048];

    if (end == NULL) {
        if (name[0] == '/')
            snprintf(out, size, "%s", name);
        else
            snprintf(out, size, "%s/%s", folder, name);
        return true;
    }
    const bool there = cs_shared_root(root, sizeof root);

    snprintf(out, size, "%s/configs/%.*s%s", there ? root : "", (int)(end - name - 1), name + 1,
             end + 1);
    return there;
}

const char *cs_scenario_body(const char *text)
{
    if (strncmp(text, CS_SHARED_MODELINE, sizeof CS_SHARED_MODELINE - 1) != 0)
        return text;
    text += strcspn(text, "\n");
    return text + (*text == '\n');
}
