/* list --pmus: the PMUs of a scenario's system (docs/pmu_address.md). */
#ifndef CS_CLI_LIST_PMUS_H
#define CS_CLI_LIST_PMUS_H

#include "formats/common/table.h"

/* Prints the tree at and below `under`: a path, an address (0x...), or NULL for all of it; as CSV and
 * JSON its PMUs, one a row. Returns an exit status, after a message where it is not EXIT_GOOD. */
int cs_list_pmus_run(const char *scenario, const char *under, cs_table_format format);

#endif
