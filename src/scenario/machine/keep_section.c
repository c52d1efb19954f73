// SPDX-License-Identifier: Apache-2.0
#include "scenario/key_macros.h"
#include "scenario/machine/keep_spec.h"
#include "scenario/section_list.h"

#define S cs_keep_spec

static char records_text[120];

static const cs_key keep_keys[] = {
    {OTHER("memory", CS_KEY_FLAG, "true", "memory images in the run folder"), AT(S, memory)},
    {OTHER("probe", CS_KEY_FLAG, "false", "every record of the probe stream, as CSV"),
     AT(S, probe)},
    {OTHER("records", CS_KEY_FLAG, "true", records_text), AT(S, records)},
    {OTHER("samples_truth", CS_KEY_FLAG, "true",
           "the truth of each sample, and what happened when, in the database"),
     AT(S, samples_truth)},
};
static const cs_key_shape shape = {SHAPE("keep", keep_keys, S)};

/* What a record is, the unit tells that writes some. */
static void make_keys(void)
{
    cs_key_noted("keep.records", "", records_text, sizeof records_text);
}

static const cs_key keys[] = {{MAP("keep", &shape, "what goes into the run folder")}};
const cs_section cs_section_keep = {SECTION("keep", keys, S), .make_keys = make_keys};
