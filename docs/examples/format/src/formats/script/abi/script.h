// SPDX-License-Identifier: Apache-2.0
/* The first line of the format `script` (docs/script.md). */
#ifndef CS_FORMATS_SCRIPT_ABI_SCRIPT_H
#define CS_FORMATS_SCRIPT_ABI_SCRIPT_H

#define CS_SCRIPT_TITLE "# perf script --ns -F pid,cpu,time,period,event,ip\n"

#endif
