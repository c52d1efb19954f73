/* A core PMU: docs/hw/corepmu.md. */
#include "foreign/corepmu/corepmu_program.h"

/* By CS_COREPMU_PIN_*. */
static const cs_foreign_pin pins[] = {
    {"clk_i", .width = 1, .needed = true, .tells = "the clock"},
    {"rst_ni", .width = 1, .needed = true, .tells = "reset, active low"},
    {"nr_counter_i", .width = 5, .strap = true, .tells = "how many counters are there"},
    {"ext64_i", .width = 1, .strap = true, .tells = "the register map of 64 bits"},
    {"hpmn_i", .width = 5, .strap = true, .tells = "MDCR_EL2.HPMN"},
    {"hpme_i", .width = 1, .strap = true, .tells = "MDCR_EL2.HPME"},
    {"hpmd_i", .width = 1, .strap = true, .tells = "MDCR_EL2.HPMD"},
    {"spme_i", .width = 1, .strap = true, .tells = "MDCR_EL3.SPME"},
    {"offline_i", .width = 1, .tells = "the core has no power"},
    {"locked_i", .width = 1, .tells = "the OS lock is set"},
    {"reg_en_i", .width = 1, .needed = true, .tells = "an access of the frame"},
    {"reg_write_i", .width = 1, .needed = true, .tells = "it writes"},
    {"reg_addr_i", .width = 16, .needed = true, .address = true, .tells = "its offset"},
    {"reg_wide_i", .width = 1, .tells = "of 8 bytes"},
    {"reg_wdata_i", .width = 64, .needed = true, .tells = "what is written"},
    {"reg_rdata_o", true, 64, .needed = true, .tells = "what is read"},
    {"reg_err_o", true, 1, .tells = "the access is an error"},
    {"sys_en_i", .width = 1, .tells = "an access of the core itself"},
    {"sys_write_i", .width = 1, .tells = "it writes"},
    {"sys_guest_i", .width = 1, .tells = "it comes from a guest"},
    {"sys_addr_i", .width = 12, .tells = "its offset in the map of 64 bits"},
    {"sys_wdata_i", .width = 64, .tells = "what is written"},
    {"sys_ready_o", true, 1, .tells = "it is done"},
    {"sys_rdata_o", true, 64, .tells = "what is read"},
    {"irq_o", true, 1, .tells = "the overflow interrupt"},
    {"event_o", true, 16 * 31, 16, .needed = true, .tells = "the event of each counter"},
    {"mode_i", .width = 2, .tells = "the exception level"},
    {"inc_i", .width = 8 * 31, .field = 8, .needed = true, .tells = "increments, by event_o"},
    {"cycle_inc_i", .width = 8, .needed = true, .tells = "clocks in this cycle"},
    {"pc_i", .width = 64, .tells = "the program counter"},
    {"cid1_i", .width = 32, .tells = "CONTEXTIDR_EL1"},
    {"cid2_i", .width = 32, .tells = "CONTEXTIDR_EL2"},
    {NULL},
};

/* By CS_COREPMU_SET_*. */
static const cs_foreign_setting settings[] = {
    {"counters", "nr_counter_i", 1, 31, 6, "event counters"},
    {"ext64", "ext64_i", 0, 1, 0, "the register map of 64 bits"},
    {"hpmn", "hpmn_i", 0, 31, 31, "counters of the first range"},
    {"hpme", "hpme_i", 0, 1, 1, "the second range counts"},
    {"hpmd", "hpmd_i", 0, 1, 0, "the first range does not count in EL2"},
    {"spme", "spme_i", 0, 1, 1, "events count in EL3"},
    {"event_bits", NULL, 1, 16, 16, "bits of an event's number that are written"},
    {"most_increment", NULL, 1, 255, 255, "of an event in a cycle"},
    {NULL},
};

_Static_assert(sizeof pins / sizeof pins[0] == CS_COREPMU_NR_PINS + 1, "a number for each pin");
_Static_assert(sizeof settings / sizeof settings[0] == CS_COREPMU_NR_SETS + 1,
               "a number for each setting");

static cs_status check(const cs_foreign_design *d, cs_diag *diag)
{
    const bool *has = d->linked;

    if (has[CS_COREPMU_PIN_SYS_EN] != has[CS_COREPMU_PIN_SYS_ADDR])
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "sys_en_i and sys_addr_i: the MAP names the one without the other");
    if (!d->set[CS_COREPMU_SET_COUNTERS] && !has[CS_COREPMU_PIN_NR_COUNTER])
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "counters: the MAP has to say how many there are");
    return CS_OK;
}

const cs_foreign_unit cs_foreign_corepmu = {
    .name = "corepmu",
    .page = "docs/hw/corepmu.md",
    .pins = pins,
    .settings = settings,
    .address_bits = 16,
    .check = check,
    .compare = cs_corepmu_programs,
};
