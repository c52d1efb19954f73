/* Kinds of a timeline's events. */
#include "check/families.h"

const char *cs_timeline_kind_of(bool (*is)(const cs_timeline_kind *row, const void *event),
                                const void *event)
{
    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES; i++)
        for (size_t k = 0; k < cs_check_families[i]->nr_kinds; k++)
            if (is(&cs_check_families[i]->kinds[k], event))
                return cs_check_families[i]->kinds[k].kind;
    return "other";
}
