#include "scenario/key_macros.h"
#include "scenario/scenario.h"

static const cs_key keys[] = {
    {OTHER("catalog", CS_KEY_CATALOG, "=none", "IMC catalog (DTB or DTS) beside the scenario"),
     AT(cs_scenario, catalog)},
};
const cs_section cs_section_catalog = {PART("catalog", keys)};
