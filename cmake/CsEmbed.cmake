# SPDX-License-Identifier: Apache-2.0
# Files that are part of the program: `const cs_embedded LIST[]` (base/files/embedded.h) of the files of a folder
# that fit these patterns.
function(cs_embed list folder)
  list(TRANSFORM ARGN PREPEND ${folder}/ OUTPUT_VARIABLE patterns)
  file(GLOB files CONFIGURE_DEPENDS ${patterns})
  set(rows "")
  foreach(file ${files})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "?" "\\?" text "${text}") # no trigraphs
    string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
    string(APPEND rows "    {\"${name}\",\n    \"${text}\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${list}.c CONTENT
       "#include \"base/files/embedded.h\"\n\nconst cs_embedded ${list}[] = {\n@rows@    {0}};\n" @ONLY)
endfunction()
