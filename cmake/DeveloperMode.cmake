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
    if(VKSORT_WERROR)
        if(MSVC)
            target_compile_options(${target} PRIVATE /WX)
        else()
            target_compile_options(${target} PRIVATE -Werror)
        endif()
    endif()
endfunction()
