# SPDX-License-Identifier: Apache-2.0
# cs_flags: the warnings of every target of this project. CS_SANITIZE reaches every target,
# so that nothing is linked that was built without it.
add_library(cs_flags INTERFACE)
target_compile_options(cs_flags INTERFACE
    -Wall
    -Wextra
    -Wvla
    -Werror=format
    -Werror=return-type
    -Werror=vla
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
    $<$<COMPILE_LANGUAGE:C>:-Werror=implicit-function-declaration>
    $<$<COMPILE_LANGUAGE:C>:-Werror=incompatible-pointer-types>
    $<$<COMPILE_LANGUAGE:C>:-Werror=int-conversion>
    $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
    $<$<BOOL:${CS_WERROR}>:-Werror>)

if(CS_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

if(CS_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
