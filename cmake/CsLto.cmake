# SPDX-License-Identifier: Apache-2.0
# The command is optimised across files: a tenth of the time of a long run. The objects are whole without it, too;
# the linker has to be told so, or tests and benchmarks would be optimised as slowly.
if(CS_LTO AND CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_BUILD_TYPE STREQUAL Release AND NOT CS_SANITIZE)
  foreach(target cs_base cs_hpm cs_models cs_bus cs_results cs_scenario)
    target_compile_options(${target} PRIVATE -flto=auto -ffat-lto-objects)
  endforeach()
  target_link_options(countersink PRIVATE -flto=auto -O2)
  add_link_options(-fno-lto)
endif()
