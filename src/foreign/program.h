// SPDX-License-Identifier: Apache-2.0
/* Random programs on both sides, for any unit: the model's answers are the page's, cycle by cycle. */
#ifndef CS_FOREIGN_PROGRAM_H
#define CS_FOREIGN_PROGRAM_H

#include "foreign/unit.h"

/* Programs until the first difference; all of it is in the report, for cs_foreign_report_clear also
 * after an error. With options->waves `dut` is one for waves, and there is
 * one program. */
cs_status cs_foreign_run_programs(const cs_foreign_unit *unit, const cs_foreign_design *design,
                                  cs_foreign_dut *dut, const cs_foreign_options *options,
                                  cs_foreign_report *report, cs_diag *diag);

#endif
