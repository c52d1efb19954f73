// SPDX-License-Identifier: Apache-2.0
#include "formats/imc/catalog/catalog.h"
#include "scenario/imc/imc_events.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/key_macros.h"
#include "scenario/scenario.h"

static cs_status load(cs_scenario *s, cs_yaml *memory, const char *path, cs_diag *diag)
{
    const cs_status status = cs_imc_catalog_load(path, &s->imc->catalog, diag);

    (void)memory;
    if (status == CS_OK)
        cs_imc_catalog_events(s->imc->catalog, s->imc->event_of);
    return status;
}

static const cs_key keys[] = {
    {OTHER("catalog", CS_KEY_LOADED, "=none",
           "IMC catalog beside the scenario: DTB, DTS, xz, a PNOR image; FILE@PVR of several; "
           "<imc/power9_small.dts>: of configs/, which comes with the command"),
     .load = load},
};
const cs_section cs_section_catalog = {PART("catalog", keys)};
