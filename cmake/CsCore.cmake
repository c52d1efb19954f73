# SPDX-License-Identifier: Apache-2.0
# The libraries that need no other one (CsLibraries.cmake), without the rest of the tree.
foreach(component ${CS_COMPONENTS})
  if(NOT component MATCHES "^(models|hart)$")
    message(FATAL_ERROR "CS_COMPONENTS: found '${component}', expected all, models or hart")
  endif()
endforeach()
foreach(folder base models formats/riscv scenario/hpm drivers/hpm)
  add_subdirectory(src/${folder} EXCLUDE_FROM_ALL)
endforeach()
include(CsLibraries)
