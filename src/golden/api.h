// SPDX-License-Identifier: Apache-2.0
/* What the library of golden models shows. */
#ifndef CS_GOLDEN_API_H
#define CS_GOLDEN_API_H

#ifndef CS_GOLDEN_API
#if defined(__GNUC__)
#define CS_GOLDEN_API __attribute__((visibility("default")))
#else
#define CS_GOLDEN_API
#endif
#endif

#endif
