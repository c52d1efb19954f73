/* The kinds of software, in the order in which they are made, and have their first turn where they
 * share the CPU port. To add one: a row here, and cs_software_row_<name> beside its driver. */
#ifndef CS_DRIVERS_SOFTWARE_LIST_H
#define CS_DRIVERS_SOFTWARE_LIST_H

#include "drivers/software_row.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_SOFTWARE_ROWS(ROW)                                                                      \
    ROW(pmcu_driver)                                                                               \
    ROW(script)                                                                                    \
    ROW(imc_driver)                                                                                \
    ROW(pmi)                                                                                       \
    ROW(none)                                                                                      \
    ROW(multiplex)                                                                                 \
    ROW(uncore_driver)                                                                             \
    ROW(riscv)

#define CS_SOFTWARE_NUMBER(name) CS_SOFTWARE_ROW_##name,
typedef enum cs_software_number {
    CS_SOFTWARE_ROWS(CS_SOFTWARE_NUMBER) CS_NR_SOFTWARE_ROWS
} cs_software_number;
#undef CS_SOFTWARE_NUMBER

#define CS_SOFTWARE_DECLARATION(name) extern const cs_software_row cs_software_row_##name;
CS_SOFTWARE_ROWS(CS_SOFTWARE_DECLARATION)
#undef CS_SOFTWARE_DECLARATION

extern const cs_software_row *const cs_software_rows[CS_NR_SOFTWARE_ROWS];

#ifdef __cplusplus
}
#endif

#endif
