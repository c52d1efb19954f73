/* Random programs for a counter block, and the comparison (internal to foreign/hpm). */
#ifndef CS_FOREIGN_HPM_PROGRAM_H
#define CS_FOREIGN_HPM_PROGRAM_H

#include "foreign/core.h"
#include "foreign/unit.h"
#include "models/hpm/hpm.h"

enum {
    CS_HPM_PIN_CLK,
    CS_HPM_PIN_RST,
    CS_HPM_PIN_XLEN64,
    CS_HPM_PIN_MODES,
    CS_HPM_PIN_COUNTERS,
    CS_HPM_PIN_WIDTH,
    CS_HPM_PIN_SSCOFPMF,
    CS_HPM_PIN_SMCNTRPMF,
    CS_HPM_PIN_SMCDELEG,
    CS_HPM_PIN_AIA,
    CS_HPM_PIN_LATENCY,
    CS_HPM_PIN_MODE,
    CS_HPM_PIN_V,
    CS_HPM_PIN_STATEEN_M,
    CS_HPM_PIN_STATEEN_H,
    CS_HPM_PIN_TIME,
    CS_HPM_PIN_CYCLE_INC,
    CS_HPM_PIN_INSTRET_INC,
    CS_HPM_PIN_EVENT,
    CS_HPM_PIN_COUNTING,
    CS_HPM_PIN_INC,
    CS_HPM_PIN_EVENTS,
    CS_HPM_PIN_CSR_VALID,
    CS_HPM_PIN_CSR_WRITE,
    CS_HPM_PIN_CSR_ADDR,
    CS_HPM_PIN_CSR_OP,
    CS_HPM_PIN_CSR_WDATA,
    CS_HPM_PIN_CSR_VALUE,
    CS_HPM_PIN_CSR_RDATA,
    CS_HPM_PIN_CSR_EXC,
    CS_HPM_PIN_LCOFI,
    CS_HPM_NR_PINS
};

enum {
    CS_HPM_SET_XLEN,
    CS_HPM_SET_MODES,
    CS_HPM_SET_COUNTERS,
    CS_HPM_SET_WIDTH,
    CS_HPM_SET_SSCOFPMF,
    CS_HPM_SET_SMCNTRPMF,
    CS_HPM_SET_SMCDELEG,
    CS_HPM_SET_AIA,
    CS_HPM_SET_LATENCY,
    CS_HPM_SET_EVENT_BITS,
    CS_HPM_SET_MOST,
    CS_HPM_NR_SETS
};

extern const cs_foreign_unit cs_foreign_hpm;

/* The straps of a program: what the MAP says, and by chance what it leaves open. */
cs_hpm_config cs_hpm_draw_config(const cs_foreign_design *design, cs_foreign_random *random);

/* The CSR accesses of a program, one after the other. */
typedef struct cs_hpm_script {
    const cs_foreign_design *design;
    cs_hpm_config config;
    cs_foreign_random *random;
    unsigned there[CS_HPM_COUNTERS], nr_there; /* counters */
    unsigned favourites[3], nr_favourites;
    struct {
        uint16_t csr;
        uint8_t op;
        uint64_t value;
    } waiting[32]; /* the next one last; in M mode */
    unsigned nr_waiting;
    unsigned ended; /* accesses of its ending */
} cs_hpm_script;

void cs_hpm_script_begin(cs_hpm_script *script, const cs_foreign_design *design,
                         const cs_hpm_config *config, cs_foreign_random *random);

/* The access of a cycle with this mode; false: none. `ending`, in M mode: all that can be seen is read
 * in turn. */
bool cs_hpm_script_next(cs_hpm_script *script, unsigned mode, bool ending, cs_hpm_access *out);

/* Accesses of a whole ending. */
unsigned cs_hpm_script_ending(void);

/* The events that cores have. */
extern const uint32_t cs_hpm_events[];
unsigned cs_hpm_nr_events(const cs_foreign_design *design);

/* "mhpmcounter3" of 0xb03; "csr" for one that nobody knows. */
void cs_hpm_csr_name(unsigned csr, char *out, size_t size);

cs_status cs_hpm_programs(const cs_foreign_design *design, cs_foreign_dut *dut,
                          const cs_foreign_options *options, cs_foreign_report *report,
                          cs_diag *diag);

#endif
