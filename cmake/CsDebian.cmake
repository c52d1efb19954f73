# SPDX-License-Identifier: Apache-2.0
# Run by CPack before it packs: what Debian's policy wants of files that others have written.
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/man/*.[13])
foreach(page ${pages})
  execute_process(COMMAND gzip -9nf ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

set(doc ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/doc/countersink)
file(READ ${CMAKE_CURRENT_LIST_DIR}/../LICENSE license)
file(REMOVE ${doc}/LICENSE) # it is in common-licenses
file(WRITE ${doc}/copyright
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: countersink

Files: *
Copyright: 2025-2026, the authors of Countersink
License: Apache-2.0

Files: third_party/echarts/*
Copyright: 2017-2026, The Apache Software Foundation; 2010-2016, Mike Bostock; 2017, Baidu Inc.
License: Apache-2.0 and BSD-3-Clause
 They are a part of /usr/bin/countersink. All texts stand in
 /usr/share/doc/countersink/echarts/licences.txt.

License: Apache-2.0
 On Debian systems the text of the Apache License 2.0 stands in
 /usr/share/common-licenses/Apache-2.0.
")
file(WRITE ${doc}/changelog
"countersink (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * See CHANGELOG.md.

 -- Countersink <countersink@localhost>  Sat, 28 Nov 2026 00:00:00 +0000
")
execute_process(COMMAND gzip -9nf ${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)

file(GLOB_RECURSE objects ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/lib/*.so
  ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/lib/*.vpi)
foreach(object ${objects})
  execute_process(COMMAND strip --strip-unneeded ${object} COMMAND_ERROR_IS_FATAL ANY)
  file(CHMOD ${object} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()
