# SPDX-License-Identifier: MIT
#
# With a generator of several configurations the kernels of Debug have names and lines in them, and no others.
cmake_minimum_required(VERSION 3.22)

foreach(config IN ITEMS Debug Release)
    file(STRINGS ${BUILD}/CMakeFiles/impl-${config}.ninja commands REGEX "glslang.* -o spirv/${config}/")
    if(NOT commands)
        file(STRINGS ${BUILD}/CMakeFiles/impl-${config}.ninja commands REGEX "glslang.*/spirv/${config}/")
    endif()
    if(NOT commands)
        message(FATAL_ERROR "no kernels are compiled for ${config}")
    endif()
    foreach(command IN LISTS commands)
        if((command MATCHES " -g " AND NOT config STREQUAL "Debug") OR (command MATCHES " -g0 " AND config STREQUAL "Debug"))
            message(FATAL_ERROR "${config}: ${command}")
        endif()
    endforeach()
endforeach()
