# Files that are part of the program: LIST of (name, text), which are TYPE of HEADER, of the files of
# a folder; names are without endings.
function(cs_embed list type header folder pattern)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/${pattern})
  set(rows "")
  foreach(file ${files})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
    string(APPEND rows "    {\"${name}\",\n    \"${text}\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${list}.c CONTENT
       "#include \"${header}\"\n\nconst ${type} ${list}[] = {\n@rows@    {0}};\n" @ONLY)
endfunction()
