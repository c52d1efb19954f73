// SPDX-License-Identifier: Apache-2.0
#include <countersink/version.h>

const char *countersink_version(void)
{
    return COUNTERSINK_VERSION_TEXT;
}
