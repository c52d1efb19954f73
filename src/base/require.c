// SPDX-License-Identifier: Apache-2.0
#include "base/require.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void cs_require_failed(const char *format, ...)
{
    va_list arguments;

    fputs("countersink: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}
