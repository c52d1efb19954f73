# Libraries from Debian's packages, as imported targets CsDeps::<name>.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

function(cs_import name)
  pkg_check_modules(CS_${name} REQUIRED IMPORTED_TARGET GLOBAL ${ARGN})
  add_library(CsDeps::${name} ALIAS PkgConfig::CS_${name})
endfunction()

cs_import(fyaml libfyaml)
cs_import(sqlite3 sqlite3)
if(CS_LOCKSTEP)
  cs_import(systemc systemc tlm)
endif()
