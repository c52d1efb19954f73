/* A counter block of a RISC-V hart: docs/hw/hpm.md, sections 1 and 2. */
#include <string.h>

#include "foreign/hpm/hpm_program.h"

/* By CS_HPM_PIN_*. */
static const cs_foreign_pin pins[] = {
    {"clk_i", .width = 1, .needed = true, .tells = "the clock"},
    {"rst_ni", .width = 1, .needed = true, .tells = "reset, active low"},
    {"xlen64_i", .width = 1, .strap = true, .tells = "XLEN is 64"},
    {"modes_i", .width = 2, .strap = true, .tells = "which modes are there"},
    {"counters_i", .width = 32, .strap = true, .tells = "which counters are there"},
    {"width_i", .width = 7 * 32, .field = 7, .strap = true, .tells = "bits of the counters"},
    {"sscofpmf_i", .width = 1, .strap = true, .tells = "overflow and filters"},
    {"smcntrpmf_i", .width = 1, .strap = true, .tells = "mcyclecfg, minstretcfg"},
    {"smcdeleg_i", .width = 1, .strap = true, .tells = "delegation"},
    {"aia_i", .width = 1, .strap = true, .tells = "mvien and its like"},
    {"lcofi_latency_i", .width = 5, .strap = true, .tells = "cycles from OF to LCOFIP"},
    {"mode_i", .width = 2, .tells = "the mode of the cycle"},
    {"v_i", .width = 1, .tells = "it is virtual"},
    {"stateen_m_i", .width = 1, .tells = "mstateen0[60]"},
    {"stateen_h_i", .width = 1, .tells = "hstateen0[60]"},
    {"time_i", .width = 64, .tells = "mtime"},
    {"cycle_inc_i", .width = 4, .tells = "clocks in this cycle"},
    {"instret_inc_i", .width = 4, .tells = "instructions that retire"},
    {"event_o", true, 16 * 32, 16, .tells = "the event of each counter"},
    {"counting_o", true, 32, 1, .tells = "which counters would take an increment"},
    {"inc_i", .width = 4 * 32, .field = 4, .tells = "increments, by what event_o says"},
    {"events_i", .width = 4 * 64, .field = 4, .tells = "increments of the events 0 to 63"},
    {"csr_valid_i", .width = 1, .tells = "an access"},
    {"csr_write_i", .width = 1, .tells = "an access that writes"},
    {"csr_addr_i", .width = 12, .needed = true, .address = true, .tells = "its CSR"},
    {"csr_op_i", .width = 2, .tells = "0 read, 1 write, 2 set, 3 clear"},
    {"csr_wdata_i", .width = 64, .tells = "the operand"},
    {"csr_value_i", .width = 64, .tells = "what is written: old and operand, by the operation"},
    {"csr_rdata_o", true, 64, .needed = true, .tells = "the old value"},
    {"csr_exc_o", true, 2, .tells = "1 illegal, 2 virtual instruction"},
    {"lcofi_o", true, 3, .tells = "the interrupt, to M, S, VS"},
    {NULL},
};

/* By CS_HPM_SET_*. */
static const cs_foreign_setting settings[] = {
    {"xlen", "xlen64_i", 32, 64, 64, "32 or 64"},
    {"modes", "modes_i", 0, 3, 0, "0 M; 1 M U; 2 M S U; 3 M S U VS VU"},
    {"counters", "counters_i", 0, 0xfffffff8, 0xfffffff8, "bit n: mhpmcounter n is there"},
    {"width", "width_i", 1, 64, 64, "bits of every mhpmcounter"},
    {"sscofpmf", "sscofpmf_i", 0, 1, 0, "overflow bits, filters, the interrupt"},
    {"smcntrpmf", "smcntrpmf_i", 0, 1, 0, "mcyclecfg and minstretcfg"},
    {"smcdeleg", "smcdeleg_i", 0, 1, 0, "delegation to S mode"},
    {"aia", "aia_i", 0, 1, 0, "mvien, mvip, hvien, hvip"},
    {"lcofi_latency", "lcofi_latency_i", 0, 31, 0, "cycles from OF to LCOFIP"},
    {"event_bits", NULL, 1, 16, 16, "bits of an event's number that are written"},
    {"most_increment", NULL, 1, 15, 15, "of an event in a cycle"},
    {NULL},
};

_Static_assert(sizeof pins / sizeof pins[0] == CS_HPM_NR_PINS + 1, "a number for each pin");
_Static_assert(sizeof settings / sizeof settings[0] == CS_HPM_NR_SETS + 1,
               "a number for each setting");

/* It is so for sure, or may be drawn. */
static bool can(const cs_foreign_design *d, unsigned setting, uint64_t least)
{
    const int pin = settings[setting].pin != NULL
                        ? cs_foreign_pin_index(&cs_foreign_hpm, settings[setting].pin)
                        : -1;

    return d->set[setting] || pin < 0 || !d->linked[pin] ? d->setting[setting] >= least : true;
}

static cs_status check(const cs_foreign_design *d, cs_diag *diag)
{
    const uint64_t xlen = d->setting[CS_HPM_SET_XLEN];
    const char *text = NULL;

    if (xlen != 32 && xlen != 64)
        text = "xlen is 32 or 64";
    else if ((d->setting[CS_HPM_SET_COUNTERS] & 7) != 0)
        text = "counters has no bits 0, 1 and 2";
    else if (d->set[CS_HPM_SET_SMCDELEG] && d->setting[CS_HPM_SET_SMCDELEG] &&
             !can(d, CS_HPM_SET_MODES, 2))
        text = "smcdeleg needs S mode: modes 2 or 3";
    else if (d->set[CS_HPM_SET_AIA] && d->setting[CS_HPM_SET_AIA] &&
             (!can(d, CS_HPM_SET_MODES, 2) || !can(d, CS_HPM_SET_SSCOFPMF, 1)))
        text = "aia needs S mode and sscofpmf";
    else if (d->linked[CS_HPM_PIN_INC] && !d->linked[CS_HPM_PIN_EVENT])
        text = "inc_i says what event_o asks for: the MAP names the one without the other "
               "(events_i is for a design that chooses by itself)";
    else if (d->set[CS_HPM_SET_MODES] && d->setting[CS_HPM_SET_MODES] == 3 &&
             !d->linked[CS_HPM_PIN_V])
        text = "modes is 3, and v_i has no port";
    else if (d->set[CS_HPM_SET_MODES] && d->setting[CS_HPM_SET_MODES] >= 1 &&
             !d->linked[CS_HPM_PIN_MODE])
        text = "there is more than one mode, and mode_i has no port";
    else if (!d->linked[CS_HPM_PIN_CSR_WDATA] && !d->linked[CS_HPM_PIN_CSR_VALUE])
        text = "neither csr_wdata_i nor csr_value_i has a port";
    else if (!d->linked[CS_HPM_PIN_CSR_OP] && !d->linked[CS_HPM_PIN_CSR_WRITE])
        text = "neither csr_op_i nor csr_write_i has a port";
    return text == NULL ? CS_OK : cs_diag_set(diag, CS_ERR_RANGE, NULL, "%s", text);
}

const cs_foreign_unit cs_foreign_hpm = {
    .name = "hpm",
    .page = "docs/hw/hpm.md",
    .pins = pins,
    .settings = settings,
    .address_bits = 12,
    .check = check,
    .compare = cs_hpm_programs,
};
