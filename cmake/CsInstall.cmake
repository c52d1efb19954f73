# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, so that others can build on it: libraries, headers, a package for
# find_package (countersinkConfig.cmake.in), pkg-config files; and the command with all that it reads.
include(CMakePackageConfigHelpers)

set(source ${PROJECT_SOURCE_DIR}/src)
set(data ${CMAKE_INSTALL_DATADIR}/countersink)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/countersink)

# ---- libraries ----
function(cs_install_set set)
  set(names ${ARGN})
  while(names)
    list(POP_FRONT names target name)
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS ${target} EXPORT countersink-${set}
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endwhile()
  install(EXPORT countersink-${set} NAMESPACE countersink:: DESTINATION ${package})
endfunction()

cs_install_set(core ${CS_CORE_LIBRARIES})
cs_install_set(c ${CS_C_LIBRARIES})
cs_install_set(golden ${CS_GOLDEN_LIBRARIES})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/countersink DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(FILES ${source}/golden/hpm/countersink_golden_pkg.sv
  ${source}/golden/hpm/countersink_golden.py DESTINATION ${data}/golden)
if(TARGET countersink_golden_vpi)
  install(TARGETS countersink_golden_vpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(CS_TLM)
  cs_install_set(tlm ${CS_TLM_LIBRARIES})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/countersink DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.hpp")
endif()

# Man pages of the headers, from their comments.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  file(GLOB_RECURSE public CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/countersink/*.h)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/man3/countersink_version.3
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/man3
    COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/man/man3.py ${PROJECT_SOURCE_DIR}/include
      ${PROJECT_BINARY_DIR}/man3
    DEPENDS ${public} ${PROJECT_SOURCE_DIR}/tools/man/man3.py ${PROJECT_SOURCE_DIR}/tools/man/header.py VERBATIM)
  add_custom_target(cs_man3 ALL DEPENDS ${PROJECT_BINARY_DIR}/man3/countersink_version.3)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/man3 DESTINATION ${CMAKE_INSTALL_MANDIR})
endif()

# Objects for the linker's optimiser fit one compiler's version only.
get_target_property(options cs_base COMPILE_OPTIONS)
if("${options}" MATCHES "-flto" AND CMAKE_STRIP)
  install(CODE "
    foreach(name base hpm models bus scenario)
      set(archive \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libcs_\${name}.a)
      if(EXISTS \${archive})
        execute_process(COMMAND ${CMAKE_STRIP} --wildcard --remove-section=.gnu.lto_*
          --remove-section=.gnu.debuglto_* --strip-symbol=__gnu_lto_v1 \${archive}
          COMMAND_ERROR_IS_FATAL ANY)
      endif()
    endforeach()")
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/countersinkConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/countersinkConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/countersinkConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/countersinkConfig.cmake
  ${PROJECT_BINARY_DIR}/package/countersinkConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/CsDeps.cmake DESTINATION ${package})

# ---- pkg-config: name, what it is, what it requires, its libraries ----
function(cs_pkg_config name text requires libraries)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/package/${name}.pc @ONLY CONTENT
"prefix=\${pcfiledir}/@up@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@

Name: @name@
Description: @text@
Version: @PROJECT_VERSION@
Requires: @requires@
Cflags: -I\${includedir}
Libs: -L\${libdir} @libraries@
")
  install(FILES ${PROJECT_BINARY_DIR}/package/${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE up)
cmake_path(APPEND up "" OUTPUT_VARIABLE up)
string(REGEX REPLACE "/+$" "" up "${up}")
cs_pkg_config(countersink-models "C models of PMUs that write counts into memory" ""
  "-lcs_models -lcs_hpm -lcs_base")
cs_pkg_config(countersink-hart "A RISC-V hart with its counters, firmware and driver" ""
  "-lcs_hart -lcs_hpm -lcs_base")
cs_pkg_config(countersink "C models of PMUs that write counts into memory, their software, and readers of files"
  "libfyaml libelf liblzma libzstd zlib"
  "-lcs_drivers -lcs_perf -lcs_hart -lcs_scenario -lcs_models -lcs_hpm -lcs_formats -lcs_base -lfdt")
cs_pkg_config(countersink-golden "A golden RISC-V counter block for testbenches" ""
  "-lcountersink_golden")
if(CS_TLM)
  cs_pkg_config(countersink-tlm "TLM-2.0 modules of Countersink's units" "systemc countersink"
    "-lcs_bus -lcs_drivers -lcs_perf -lcs_hart -lcs_scenario -lcs_models -lcs_hpm -lcs_formats -lcs_base")
endif()

# ---- the command, and what it reads ----
if(CS_LOCKSTEP)
  install(TARGETS countersink RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY ${PROJECT_BINARY_DIR}/dies DESTINATION ${CMAKE_INSTALL_LIBDIR}/countersink
    FILES_MATCHING PATTERN "*.so" PATTERN "dies.txt" PATTERN ".making*" EXCLUDE)
  install(DIRECTORY ${source}/rtl DESTINATION ${data}/src PATTERN "CMakeLists.txt" EXCLUDE)
  install(DIRECTORY ${source}/regs/gen DESTINATION ${data}/src/regs FILES_MATCHING PATTERN "*.sv")
  if(TARGET cs_guest_plugin)
    install(TARGETS cs_guest_plugin cs_guest_riscv_plugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/countersink)
  endif()
  install(FILES ${PROJECT_SOURCE_DIR}/third_party/echarts/licences.txt
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/echarts)
  install(FILES ${CS_MAN_PAGES} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  set(completion ${source}/cli/completion)
  install(FILES ${completion}/bash.bash RENAME countersink
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${completion}/zsh.zsh RENAME _countersink
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES ${completion}/fish.fish RENAME countersink.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs ${PROJECT_SOURCE_DIR}/sweeps DESTINATION ${data})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}
  PATTERN "CMakeLists.txt" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
include(CsPackage)
