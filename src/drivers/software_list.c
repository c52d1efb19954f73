#include "drivers/software_list.h"

#define ROW(name) &cs_software_row_##name,
const cs_software_row *const cs_software_rows[CS_NR_SOFTWARE_ROWS] = {CS_SOFTWARE_ROWS(ROW)};
