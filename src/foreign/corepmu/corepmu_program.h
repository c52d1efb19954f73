/* Random programs for a core PMU, and the comparison (internal to foreign/corepmu). */
#ifndef CS_FOREIGN_COREPMU_PROGRAM_H
#define CS_FOREIGN_COREPMU_PROGRAM_H

#include "foreign/unit.h"

enum {
    CS_COREPMU_PIN_CLK,
    CS_COREPMU_PIN_RST,
    CS_COREPMU_PIN_NR_COUNTER,
    CS_COREPMU_PIN_EXT64,
    CS_COREPMU_PIN_HPMN,
    CS_COREPMU_PIN_HPME,
    CS_COREPMU_PIN_HPMD,
    CS_COREPMU_PIN_SPME,
    CS_COREPMU_PIN_OFFLINE,
    CS_COREPMU_PIN_LOCKED,
    CS_COREPMU_PIN_REG_EN,
    CS_COREPMU_PIN_REG_WRITE,
    CS_COREPMU_PIN_REG_ADDR,
    CS_COREPMU_PIN_REG_WIDE,
    CS_COREPMU_PIN_REG_WDATA,
    CS_COREPMU_PIN_REG_RDATA,
    CS_COREPMU_PIN_REG_ERR,
    CS_COREPMU_PIN_SYS_EN,
    CS_COREPMU_PIN_SYS_WRITE,
    CS_COREPMU_PIN_SYS_GUEST,
    CS_COREPMU_PIN_SYS_ADDR,
    CS_COREPMU_PIN_SYS_WDATA,
    CS_COREPMU_PIN_SYS_READY,
    CS_COREPMU_PIN_SYS_RDATA,
    CS_COREPMU_PIN_IRQ,
    CS_COREPMU_PIN_EVENT,
    CS_COREPMU_PIN_MODE,
    CS_COREPMU_PIN_INC,
    CS_COREPMU_PIN_CYCLE_INC,
    CS_COREPMU_PIN_PC,
    CS_COREPMU_PIN_CID1,
    CS_COREPMU_PIN_CID2,
    CS_COREPMU_NR_PINS
};

enum {
    CS_COREPMU_SET_COUNTERS,
    CS_COREPMU_SET_EXT64,
    CS_COREPMU_SET_HPMN,
    CS_COREPMU_SET_HPME,
    CS_COREPMU_SET_HPMD,
    CS_COREPMU_SET_SPME,
    CS_COREPMU_SET_EVENT_BITS,
    CS_COREPMU_SET_MOST,
    CS_COREPMU_NR_SETS
};

extern const cs_foreign_unit cs_foreign_corepmu;

cs_status cs_corepmu_programs(const cs_foreign_design *design, cs_foreign_dut *dut,
                              const cs_foreign_options *options, cs_foreign_report *report,
                              cs_diag *diag);

#endif
