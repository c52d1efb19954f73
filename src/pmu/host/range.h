// SPDX-License-Identifier: Apache-2.0
/* The numbers that descriptors of our events have in a program: a range of their own, so that the filter
 * knows by the number alone which calls are for us, and all others run at full speed. The first part is
 * below FD_SETSIZE, for select(2); the second begins where hardly any program has files of its own. */
#ifndef CS_PMU_HOST_RANGE_H
#define CS_PMU_HOST_RANGE_H

#include <stdbool.h>

#define CS_RANGE_FIRST 768u
#define CS_RANGE_FIRST_END 1024u
#define CS_RANGE_SECOND 4096u
#define CS_RANGE_SECOND_END 65536u

static inline bool cs_range_has(unsigned number)
{
    return (number >= CS_RANGE_FIRST && number < CS_RANGE_FIRST_END) ||
           (number >= CS_RANGE_SECOND && number < CS_RANGE_SECOND_END);
}

/* The number after `number` in the range; CS_RANGE_SECOND_END: that was the last. */
static inline unsigned cs_range_next(unsigned number)
{
    return number + 1 == CS_RANGE_FIRST_END ? CS_RANGE_SECOND : number + 1;
}

#endif
