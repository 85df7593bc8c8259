# SPDX-License-Identifier: MIT
#
# vksort_developer_mode(<target>): warnings, for the project's own targets only. Nothing reaches a consumer.

option(VKSORT_WERROR "Treat warnings in vksort's own targets as errors" OFF)

function(vksort_developer_mode target)
    if(MSVC)
        target_compile_options(${target} PRIVATE /W4)
    else()
        target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
    endif()
    # GCC 12 sees overlapping copies in every `"text" + std::string()` (GCC bug 105651).
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
    endif()
    if(VKSORT_WERROR)
        if(MSVC)
            target_compile_options(${target} PRIVATE /WX)
        else()
            target_compile_options(${target} PRIVATE -Werror)
        endif()
    endif()
endfunction()
