/* Random programs for a PMCU, and the comparison (internal to foreign/pmcu). */
#ifndef CS_FOREIGN_PMCU_PROGRAM_H
#define CS_FOREIGN_PMCU_PROGRAM_H

#include "foreign/manager.h"

enum {
    CS_PMCU_PIN_CLK,
    CS_PMCU_PIN_RST,
    CS_PMCU_PIN_DIE,
    CS_PMCU_PIN_CLUSTERS,
    CS_PMCU_PIN_SLOTS,
    CS_PMCU_PIN_LANES,
    CS_PMCU_PIN_BROADCAST,
    CS_PMCU_PIN_PREFETCH,
    CS_PMCU_PIN_ORDER,
    CS_PMCU_PIN_EXT64,
    CS_PMCU_PIN_POSTED,
    CS_PMCU_PIN_TICK,
    CS_PMCU_PIN_REG_EN,
    CS_PMCU_PIN_REG_WRITE,
    CS_PMCU_PIN_REG_ADDR,
    CS_PMCU_PIN_REG_WIDE,
    CS_PMCU_PIN_REG_WDATA,
    CS_PMCU_PIN_REG_RDATA,
    CS_PMCU_PIN_REG_ERR,
    CS_PMCU_PIN_IRQ,
    CS_PMCU_PIN_STATE,
    CS_PMCU_PIN_SAMPLE_VALID,
    CS_PMCU_PIN_SAMPLE_ADDR,
    CS_PMCU_PIN_SAMPLE_NUMBER,
    CS_PMCU_PIN_SAMPLE_BYTES,
    CS_PMCU_PIN_AXI,
    CS_PMCU_NR_PINS = CS_PMCU_PIN_AXI + CS_FOREIGN_NR_AXI
};

enum {
    CS_PMCU_SET_DIE,
    CS_PMCU_SET_CLUSTERS,
    CS_PMCU_SET_SLOTS,
    CS_PMCU_SET_LANES,
    CS_PMCU_SET_BROADCAST,
    CS_PMCU_SET_PREFETCH,
    CS_PMCU_SET_ORDER,
    CS_PMCU_SET_EXT64,
    CS_PMCU_SET_POSTED,
    CS_PMCU_SET_TICK,
    CS_PMCU_SET_MOST_CLUSTERS,
    CS_PMCU_SET_MOST_SLOTS,
    CS_PMCU_NR_SETS
};

extern const cs_foreign_unit cs_foreign_pmcu;

cs_status cs_pmcu_programs(const cs_foreign_design *design, cs_foreign_dut *dut,
                           const cs_foreign_options *options, cs_foreign_report *report,
                           cs_diag *diag);

#endif
