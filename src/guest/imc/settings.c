#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/common/elf_program.h"
#include "formats/imc/catalog/packed.h"
#include "guest/imc/log.h"
#include "guest/imc/parts.h"
#include "scenario/imc/guest_spec.h"
#include "scenario/imc/imc_spec.h"

static bool is_drivers(const char *name)
{
    static const char *const names[] = CS_GUEST_DRIVER_NAMES;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

cs_status cs_power_write_settings(const cs_scenario *scenario, const cs_power_place *place,
                                  const char *path, cs_diag *diag)
{
    const cs_guest_spec *guest = scenario->guest;
    const cs_elf_symbol *symbol;
    cs_elf_program *kernel;
    FILE *out = fopen(path, "w");
    bool any = false;
    cs_status status;

    if (out == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
    status = cs_elf_program_open(place->kernel, &kernel, diag);
    for (size_t i = 0; status == CS_OK && (symbol = cs_elf_program_symbol(kernel, i)) != NULL; i++)
        if (is_drivers(symbol->name)) {
            fprintf(out, "driver %" PRIx64 " %" PRIx64 "\n", symbol->addr,
                    symbol->addr + symbol->size);
            any = true;
        }
    if (status == CS_OK && !any)
        status = cs_diag_set(diag, CS_ERR_FORMAT, place->kernel, "has no IMC driver");
    fprintf(out, "fault %u %" PRIu64 "\n", guest->fault, guest->faulty);
    if (status == CS_OK)
        cs_elf_program_close(kernel);

    const bool bad = ferror(out) != 0;
    if ((fclose(out) != 0 || bad) && status == CS_OK)
        status = cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
    return status;
}

cs_status cs_power_write_flash(const cs_scenario *scenario, const char *path, cs_diag *diag)
{
    return cs_imc_pnor_write(scenario->imc->catalog, CS_IMC_POWER9_CATALOG, path, diag);
}
