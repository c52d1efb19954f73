// SPDX-License-Identifier: Apache-2.0
/* Somebody's own header of that name. */
static inline int diagnose(void)
{
    return 42;
}
