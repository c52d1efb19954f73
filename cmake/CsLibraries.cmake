# The libraries that others build on: target, and its name in countersink::NAME. An installed package, a
# subdirectory and FetchContent have the same names.
# Those of the core need no other library.
set(CS_CORE_LIBRARIES cs_base base cs_regs registers cs_hpm hpm cs_models models cs_hart hart)
set(CS_C_LIBRARIES cs_formats formats cs_scenario scenario cs_drivers drivers)
set(CS_TLM_LIBRARIES cs_bus tlm)
set(CS_GOLDEN_LIBRARIES countersink_golden golden)

set(names ${CS_CORE_LIBRARIES} ${CS_C_LIBRARIES} ${CS_TLM_LIBRARIES} ${CS_GOLDEN_LIBRARIES})
while(names)
  list(POP_FRONT names target name)
  if(TARGET ${target})
    add_library(countersink::${name} ALIAS ${target})
  endif()
endwhile()
