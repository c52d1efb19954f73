# SPDX-License-Identifier: Apache-2.0
# countersink_counting: the command with C models that count how often each line runs, as
# `tools/coverage.sh --code` wants it. Its own objects stand before the libraries of the models, so that nothing
# of those is linked.
get_target_property(sources cs_models SOURCES)
get_target_property(hpm cs_hpm SOURCES)
add_library(cs_counting_models OBJECT ${sources} ${hpm})
target_compile_options(cs_counting_models PRIVATE -O1 --coverage)
target_link_libraries(cs_counting_models PRIVATE cs_base)

add_executable(countersink_counting $<TARGET_OBJECTS:countersink> $<TARGET_OBJECTS:cs_counting_models>)
target_link_libraries(countersink_counting PRIVATE $<TARGET_PROPERTY:countersink,LINK_LIBRARIES>)
target_link_options(countersink_counting PRIVATE --coverage)
set_target_properties(countersink_counting PROPERTIES LINKER_LANGUAGE CXX)
