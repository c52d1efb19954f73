// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scenario/check.h"
#include "scenario/key_macros.h"
#include "scenario/scenario.h"

#define S cs_scenario

static const cs_key way_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what it is called; its folder in the run folder"),
     AT(cs_way_spec, name), .min = 1, .max = CS_NAME_BYTES - 1},
    {TEXT("text", CS_WAY_TEXT_BYTES - 1, "=empty", "a line that describes it"),
     AT(cs_way_spec, text)},
    {OTHER("set", CS_KEY_OVERLAY, "{}",
           "keys that this way changes: maps are merged, anything else is replaced")},
};
static const cs_key_shape way_shape = {SHAPE("way", way_keys, cs_way_spec)};

/* configs/some/name.yaml -> name */
static void name_after_file(cs_scenario *s)
{
    const char *slash = strrchr(s->source, '/');
    const char *base = slash != NULL ? slash + 1 : s->source;
    const char *dot = strrchr(base, '.');
    size_t bytes = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
    size_t n = 0;

    for (size_t i = 0; i < bytes && n < sizeof s->name - 1; i++) {
        char c = base[i];
        bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '_' || c == '-' || (c == '.' && n > 0);

        s->name[n++] = good ? c : '_';
    }
    if (n == 0)
        memcpy(s->name, "scenario", sizeof "scenario");
}

static void compute(cs_check *check)
{
    if (check->scenario->name[0] == '\0')
        name_after_file(check->scenario);
}

/* Each has a folder of its name. */
static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->nr_ways; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(s->ways[i].name, s->ways[k].name) == 0) {
                cs_check_at(check, "ways.%zu.name", i);
                return cs_check_fail(check, "%s is the name of way %zu, too", s->ways[i].name, k);
            }
    cs_check_at(check, "way");
    return s->way[0] != '\0' && s->nr_ways == 0 ? cs_check_fail(check, "there are no ways") : CS_OK;
}

static const cs_key keys[] = {
    {OTHER("name", CS_KEY_LABEL, "=the file's name", "what the run is called"), AT(S, name),
     .min = 1, .max = CS_NAME_BYTES - 1},
    {NUMBER("seed", "", 0, UINT64_MAX, "1", "seed of everything that is random"), AT(S, seed)},
    {LIST("ways", &way_shape, 2, 8, "=none",
          "variants of the scenario, to compare side by side; `run` runs them all"),
     AT_LIST(S, ways, nr_ways)},
    {OTHER("way", CS_KEY_LABEL, "=the first; run: all", "the only way that is run"), AT(S, way),
     .min = 1, .max = CS_NAME_BYTES - 1},
};
const cs_section cs_section_run = {PART("run", keys), .compute = compute, .check = check};
