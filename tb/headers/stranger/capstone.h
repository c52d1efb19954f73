// SPDX-License-Identifier: Apache-2.0
/* Names that Capstone, a disassembler, has in its header, and programs that use it have so, too. */
#ifndef STRANGER_CAPSTONE_H
#define STRANGER_CAPSTONE_H

#define CS_API_MAJOR 4
#define CS_VERSION_MAJOR CS_API_MAJOR
#define CS_VERSION_MINOR 0

typedef enum cs_mode { CS_MODE_LITTLE_ENDIAN = 0, CS_MODE_RISCV64 = 1 << 1 } cs_mode;
typedef enum cs_err { CS_ERR_OK = 0, CS_ERR_MEM, CS_ERR_DIAG } cs_err;

unsigned int cs_version(int *major, int *minor);

#endif
