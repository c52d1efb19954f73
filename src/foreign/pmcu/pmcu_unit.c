/* A PMCU: docs/hw/pmcu.md. */
#include "foreign/pmcu/pmcu_program.h"

/* By CS_PMCU_PIN_*. */
static const cs_foreign_pin pins[] = {
    {"clk_i", .width = 1, .needed = true, .tells = "the clock"},
    {"rst_ni", .width = 1, .needed = true, .tells = "reset, active low"},
    {"die_i", .width = 2, .strap = true, .tells = "the number of the die"},
    {"nr_cluster_i", .width = 5, .strap = true, .tells = "clusters of the die"},
    {"nr_slot_i", .width = 4, .strap = true, .tells = "CPU slots of a cluster"},
    {"nr_lane_i", .width = 3, .strap = true, .tells = "lanes that are used"},
    {"broadcast_i", .width = 1, .strap = true, .tells = "start and stop by one write a cluster"},
    {"prefetch_i", .width = 1, .strap = true, .tells = "the next events are read in WAIT"},
    {"order_i", .width = 2, .strap = true, .tells = "when counters are stopped"},
    {"ext64_i", .width = 1, .strap = true, .tells = "the cores' register map of 64 bits"},
    {"posted_i", .width = 1, .strap = true, .tells = "the bridges post writes"},
    {"tick_cycles_i", .width = 16, .strap = true, .tells = "cycles of a tick"},
    {"reg_en_i", .width = 1, .needed = true, .tells = "an access of a register"},
    {"reg_write_i", .width = 1, .needed = true, .tells = "it writes"},
    {"reg_addr_i", .width = 16, .needed = true, .address = true, .tells = "its offset"},
    {"reg_wide_i", .width = 1, .tells = "of 8 bytes"},
    {"reg_wdata_i", .width = 64, .needed = true, .tells = "what is written"},
    {"reg_rdata_o", true, 64, .needed = true, .tells = "what is read"},
    {"reg_err_o", true, 1, .tells = "the access is an error"},
    {"irq_o", true, 1, .tells = "the interrupt line"},
    {"state_o", true, 4, .tells = "STATE"},
    {"sample_valid_o", true, 1, .tells = "a subsample is committed"},
    {"sample_addr_o", true, 64, .tells = "where it begins"},
    {"sample_number_o", true, 32, .tells = "its number since the trigger"},
    {"sample_bytes_o", true, 16, .tells = "its bytes"},
    CS_FOREIGN_AXI_PINS,
    {NULL},
};

/* By CS_PMCU_SET_*. */
static const cs_foreign_setting settings[] = {
    {"die", "die_i", 0, 3, 0, "the number of the die"},
    {"clusters", "nr_cluster_i", 1, 16, 4, "clusters"},
    {"slots", "nr_slot_i", 1, 8, 8, "CPU slots of a cluster"},
    {"lanes", NULL, 1, 4, 1, "ports of the bus; with nr_lane_i as many are used as is drawn"},
    {"broadcast", "broadcast_i", 0, 1, 0, "start and stop by one write a cluster"},
    {"prefetch", "prefetch_i", 0, 1, 0, "the next events are read in WAIT"},
    {"order", "order_i", 0, 3, 0, "0 die, 1 core, 2 counter, 3 running"},
    {"ext64", "ext64_i", 0, 1, 0, "the cores' register map of 64 bits"},
    {"posted", "posted_i", 0, 1, 0, "the bridges post writes"},
    {"tick_cycles", "tick_cycles_i", 1, 65535, 1, "bus cycles of a tick"},
    {"most_clusters", NULL, 1, 16, 16, "with nr_cluster_i: drawn at most"},
    {"most_slots", NULL, 1, 8, 8, "with nr_slot_i: drawn at most"},
    {NULL},
};

_Static_assert(sizeof pins / sizeof pins[0] == CS_PMCU_NR_PINS + 1, "a number for each pin");
_Static_assert(CS_PMCU_NR_PINS <= CS_FOREIGN_MAX_PINS, "room for all pins");
_Static_assert(sizeof settings / sizeof settings[0] == CS_PMCU_NR_SETS + 1,
               "a number for each setting");

static cs_status check(const cs_foreign_design *d, cs_diag *diag)
{
    const bool *has = d->linked;

    if (!has[CS_PMCU_PIN_REG_WIDE] != !has[CS_PMCU_PIN_REG_ERR] && has[CS_PMCU_PIN_REG_WIDE])
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "reg_wide_i has a port, and reg_err_o has none: an access of 8 bytes "
                           "is an error");
    if (!d->set[CS_PMCU_SET_CLUSTERS] && !has[CS_PMCU_PIN_CLUSTERS])
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "clusters: the MAP has to say how many there are");
    if (!d->set[CS_PMCU_SET_SLOTS] && !has[CS_PMCU_PIN_SLOTS])
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "slots: the MAP has to say how many a cluster has");
    return CS_OK;
}

const cs_foreign_unit cs_foreign_pmcu = {
    .name = "pmcu",
    .page = "docs/hw/pmcu.md",
    .pins = pins,
    .settings = settings,
    .address_bits = 16,
    .check = check,
    .compare = cs_pmcu_programs,
};
