#include "scenario/key_macros.h"
#include "scenario/machine/software_spec.h"
#include "scenario/scenario.h"

#define S cs_software_spec

static const cs_key_choice software_choices[] = {
    {"pmcu_driver", CS_SOFTWARE_PMCU_DRIVER, NULL, NULL,
     "the PMCU driver under perf (pmcu_driver)"},
    {"script", CS_SOFTWARE_SCRIPT, NULL, NULL, "raw bus accesses (script)"},
    {"imc", CS_SOFTWARE_IMC, NULL, NULL, "OPAL, the kernel's IMC driver and perf (imc_driver)"},
    {"pmi", CS_SOFTWARE_PMI, NULL, NULL, "sampling by interrupts, without IMC (pmi)"},
    {"none", CS_SOFTWARE_NONE, NULL, NULL, "nothing; harts have their own (riscv)"},
    {"multiplex", CS_SOFTWARE_MULTIPLEX, NULL, NULL,
     "perf stat of the CPUs' events, without PMCU (multiplex)"},
    {"uncore", CS_SOFTWARE_UNCORE, NULL, NULL, "perf on uncore units (uncore_driver)"},
    {0},
};
static const cs_key software_keys[] = {
    {OTHER("kind", CS_KEY_CHOICES, "=pmcu_driver; none on a die of harts alone",
           "what drives the hardware through the CPU port; a list: all of them"),
     AT(S, kinds), .choices = software_choices},
    {NUMBER("cpu", "", 0, CS_MAX_CPUS - 1, "0",
            "the CPU that runs it, where a driver has no CPU of its own"),
     AT(S, cpu)},
    {NUMBER("irq_latency_cycles", "bus cycles", 0, 1000000000, "2000",
            "from the interrupt line to the handler's first access"),
     AT(S, irq_latency_cycles)},
    {NUMBER("access_cycles", "bus cycles", 0, 1000000, "20",
            "work of the CPU before each register access"),
     AT(S, access_cycles)},
};
static const cs_key_shape shape = {SHAPE("software", software_keys, S)};

static const cs_key keys[] = {{MAP("software", &shape, "who drives the hardware")}};
const cs_section cs_section_software = {SECTION("software", keys, S)};
