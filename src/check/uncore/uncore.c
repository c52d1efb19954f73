/* What `check` must know of uncore units. */
#include "check/family.h"
#include "scenario/section_list.h"

static const cs_section *const sections[] = {&cs_section_uncore_driver, NULL};

static const cs_check_counted rotated = {
    .name = "printf('%s/event=0x%x%s/', pmu, event, CASE instr(name, ',') WHEN 0 THEN '' ELSE "
            "substr(name, instr(name, ',')) END)"};

/* They have their number in CTF by bridge and slot, in Perfetto's their name; the truth has that of the
 * scenario. */
static const char *const resolve_ctf[] = {
    "UPDATE ev SET unit=(SELECT 'uncore '||u.unit FROM truth.unit u WHERE "
    "ev.unit='uncore '||(15*u.bridge+u.slot)) WHERE unit GLOB 'uncore [0-9]*'",
    NULL};
static const char *const resolve_perfetto[] = {
    "UPDATE process SET unit=coalesce((SELECT 'uncore '||u.unit FROM truth.unit u WHERE "
    "substr(u.name,1,32)=substr(process.name,8)), name) WHERE name LIKE 'uncore %'",
    NULL};

const cs_check_family cs_check_uncore = {.sections = sections,
                                         .rotated = &rotated,
                                         .resolve_ctf = resolve_ctf,
                                         .resolve_perfetto = resolve_perfetto};
