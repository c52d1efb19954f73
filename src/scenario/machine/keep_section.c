#include "scenario/key_macros.h"
#include "scenario/machine/keep_spec.h"

#define S cs_keep_spec

static const cs_key keep_keys[] = {
    {OTHER("memory", CS_KEY_FLAG, "true", "memory images in the run folder"), AT(S, memory)},
    {OTHER("probe", CS_KEY_FLAG, "false", "every record of the probe stream, as CSV"),
     AT(S, probe)},
    {OTHER("records", CS_KEY_FLAG, "true",
           "IMC: every trace record as the hardware wrote it, a file a CPU"),
     AT(S, records)},
    {OTHER("samples_truth", CS_KEY_FLAG, "true",
           "the truth of each sample, and what happened when, in the database"),
     AT(S, samples_truth)},
};
static const cs_key_shape shape = {SHAPE("keep", keep_keys, S)};

static const cs_key keys[] = {{MAP("keep", &shape, "what goes into the run folder")}};
const cs_section cs_section_keep = {SECTION("keep", keys, S)};
