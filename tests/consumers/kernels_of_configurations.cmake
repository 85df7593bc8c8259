# SPDX-License-Identifier: MIT
#
# With a generator of several configurations the kernels of Debug have names and lines in them, and no others.
cmake_minimum_required(VERSION 3.22)

set(flag_Debug " -g ")
set(flag_Release " -g0 ")
foreach(config IN ITEMS Debug Release)
    file(STRINGS ${BUILD}/CMakeFiles/impl-${config}.ninja commands REGEX "glslang.* -o .*/spirv/${config}/")
    list(LENGTH commands count)
    list(FILTER commands EXCLUDE REGEX "${flag_${config}}")
    if(count EQUAL 0 OR commands)
        message(FATAL_ERROR "of ${count} kernels for ${config} these are compiled without${flag_${config}}: ${commands}")
    endif()
endforeach()
