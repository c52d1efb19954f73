# SPDX-License-Identifier: Apache-2.0
# Programs of GoogleTest, their tiers, and benches made by Verilator.
#
# A test is quick unless it has the label `slow` (CONTRIBUTING.md, "Tiers"). `quick_tests` builds what the
# quick ones need, and nothing else.
find_package(GTest REQUIRED)
add_custom_target(quick_tests)

# GoogleTest's headers, compiled once for each level of optimisation; the compiler wants it to be the same.
foreach(level O0 O1)
  file(WRITE ${PROJECT_BINARY_DIR}/tb/${level}.cpp "")
  add_library(cs_pch_${level} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/tb/${level}.cpp)
  target_compile_options(cs_pch_${level} PRIVATE -Wall -Wextra $<$<NOT:$<CONFIG:Debug>>:-${level}>)
  target_link_libraries(cs_pch_${level} PRIVATE GTest::gtest_main)
  target_precompile_headers(cs_pch_${level} PRIVATE <gtest/gtest.h> <string> <vector>)
endforeach()

# cs_tests(PROGRAM [OWN_HEADERS] [SLOW PATTERN...] [EACH PATTERN...] [ENVIRONMENT NAME=VALUE...])
#
# A test for each suite of a program, <program>.<Suite>, without the cases that SLOW or EACH name: these are
# tests of their own, <program>.<Suite>.<Case>. A PATTERN is GoogleTest's (Suite.Case, with * and ?). The
# program's own code is optimised by CS_TEST_LEVEL. OWN_HEADERS: it has precompiled headers of its own.
function(cs_tests program)
  cmake_parse_arguments(PARSE_ARGV 1 tests "OWN_HEADERS" "" "SLOW;EACH;ENVIRONMENT")
  target_compile_options(${program} PRIVATE -Wall -Wextra $<$<NOT:$<CONFIG:Debug>>:-${CS_TEST_LEVEL}>)
  target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/tb)
  target_link_libraries(${program} PRIVATE GTest::gtest_main)
  if(NOT tests_OWN_HEADERS)
    target_precompile_headers(${program} REUSE_FROM cs_pch_${CS_TEST_LEVEL})
  endif()
  add_dependencies(quick_tests ${program})

  string(REGEX REPLACE "^test_" "" name ${program})
  set(script ${PROJECT_SOURCE_DIR}/cmake/suites.cmake)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${program}_suites.cmake)
  set_property(TARGET ${program} APPEND PROPERTY LINK_DEPENDS ${script})
  add_custom_command(TARGET ${program} POST_BUILD BYPRODUCTS ${list} VERBATIM
    COMMAND ${CMAKE_COMMAND} -D "program=$<TARGET_FILE:${program}>" -D name=${name} -D "slow=${tests_SLOW}"
      -D "each=${tests_EACH}" -D "environment=${tests_ENVIRONMENT}" -D list=${list} -P ${script})
  file(CONFIGURE OUTPUT ${program}_tests.cmake CONTENT
"if(EXISTS [=[@list@]=])
  include([=[@list@]=])
else()
  add_test([=[@name@ is not built]=] @program@_is_not_built)
endif()
" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${program}_tests.cmake)
endfunction()

# These tests are slow: they are of ./test.sh --all.
function(cs_slow)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS slow)
endfunction()

# These are slow, and of ./test.sh --nightly alone: programs and cores of others, and series of
# guests, which take minutes each.
function(cs_nightly)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS slow nightly)
endfunction()

if(NOT CS_LOCKSTEP)
  return()
endif()
find_package(verilator REQUIRED HINTS $ENV{VERILATOR_ROOT} /usr/share/verilator)
set(include ${VERILATOR_ROOT}/include)

# What all that Verilator makes has in common.
add_library(cs_verilated STATIC EXCLUDE_FROM_ALL ${include}/verilated.cpp ${include}/verilated_threads.cpp)
target_compile_options(cs_verilated PRIVATE -O1 -w)
target_compile_definitions(cs_verilated PUBLIC VERILATOR=1 VM_COVERAGE=0 VM_SC=0 VM_TRACE=0 VM_TRACE_FST=0 VM_TRACE_VCD=0)
target_include_directories(cs_verilated SYSTEM PUBLIC ${include} ${include}/vltstd)
find_package(Threads REQUIRED)
target_link_libraries(cs_verilated PUBLIC Threads::Threads)

# cs_verilate(PREFIX TOP SOURCES FILE... [ARGS ARGUMENT...])
#
# The library PREFIX, with the header PREFIX.h, of a top; what it is made of is verilated when it is built.
function(cs_verilate prefix top)
  cmake_parse_arguments(PARSE_ARGV 2 verilate "" "" "SOURCES;ARGS")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${prefix})
  set(all ${folder}/${prefix}__ALL.cpp)
  add_custom_command(OUTPUT ${all} BYPRODUCTS ${folder}/${prefix}.h VERBATIM
    COMMAND ${VERILATOR_BIN} --cc -O3 --top-module ${top} --prefix ${prefix} --Mdir ${folder} ${verilate_ARGS}
      ${verilate_SOURCES}
    COMMAND make -s -C ${folder} -f ${prefix}.mk VM_PARALLEL_BUILDS=0 ${prefix}__ALL.cpp
    DEPENDS ${verilate_SOURCES} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} COMMENT "Verilating ${prefix}")
  add_library(${prefix} STATIC EXCLUDE_FROM_ALL ${all})
  target_compile_options(${prefix} PRIVATE -O1 -w)
  target_include_directories(${prefix} SYSTEM PUBLIC ${folder})
  target_link_libraries(${prefix} PUBLIC cs_verilated)
endfunction()
