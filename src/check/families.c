#include "check/families.h"

#define ROW(name) &cs_check_##name,
const cs_check_family *const cs_check_families[] = {CS_CHECK_FAMILIES(ROW)};
#undef ROW
const size_t cs_check_nr_families = sizeof cs_check_families / sizeof cs_check_families[0];
