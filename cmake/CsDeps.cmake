# SPDX-License-Identifier: Apache-2.0
# Libraries from Debian's packages, as imported targets CsDeps::<name>.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

function(cs_import name)
  pkg_check_modules(CS_${name} REQUIRED IMPORTED_TARGET GLOBAL ${ARGN})
  add_library(CsDeps::${name} ALIAS PkgConfig::CS_${name})
endfunction()

cs_import(elf libelf)
cs_import(fyaml libfyaml)
cs_import(lzma liblzma)
cs_import(sqlite3 sqlite3)
cs_import(zlib zlib)
cs_import(zstd libzstd)
# Debian's libfdt has no pkg-config file.
find_library(CS_FDT_LIBRARY fdt REQUIRED)
find_path(CS_FDT_INCLUDE libfdt.h REQUIRED)
add_library(CsDeps::fdt UNKNOWN IMPORTED GLOBAL)
set_target_properties(CsDeps::fdt PROPERTIES
    IMPORTED_LOCATION "${CS_FDT_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${CS_FDT_INCLUDE}")
if(CS_TLM)
  cs_import(systemc systemc tlm)
endif()
