# SPDX-License-Identifier: Apache-2.0
# The Debian package: tools/package.sh makes it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME countersink)
set(CS_PACKAGE_CONTACT "Countersink <countersink@localhost>" CACHE STRING "Maintainer of the .deb")
set(CPACK_PACKAGE_CONTACT "${CS_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cycle-level simulator of PMU offload units")
set(CPACK_PACKAGE_DESCRIPTION
"Countersink simulates hardware that carries performance counts into memory, so
that no CPU has to: HiSilicon's PMCU, POWER's IMC, RISC-V's counters, uncore
units. It predicts every count. Each unit exists as a C model and as RTL,
which run in lockstep.
.
The package has the command, the models as libraries with their headers, the
RTL, and the scenarios.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "verilator (>= 5), g++, make")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "device-tree-compiler, linux-perf, libsystemc-dev, libfyaml-dev, libelf-dev, liblzma-dev, libzstd-dev, libfdt-dev")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
    GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/CsDebian.cmake)
include(CPack)
