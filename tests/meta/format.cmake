# SPDX-License-Identifier: MIT
#
# cmake -DPROGRAM=clang-format-14 -DSOURCE= -P format.cmake
#
# All C++ and C files are laid out as .clang-format has it. meta.shader_lengths looks at the lines of kernels.
cmake_minimum_required(VERSION 3.22)

if(NOT PROGRAM)
    message(STATUS "skipped: clang-format-14 is not installed, and other versions lay code out differently")
    return()
endif()

set(files)
foreach(folder IN ITEMS bench examples include src tests tools)
    foreach(suffix IN ITEMS c cpp h hpp)
        file(GLOB_RECURSE found ${SOURCE}/${folder}/*.${suffix})
        list(APPEND files ${found})
    endforeach()
endforeach()
list(LENGTH files count)
if(count LESS 200) # so that what no longer finds files does not pass
    message(FATAL_ERROR "only ${count} files found")
endif()
execute_process(COMMAND ${PROGRAM} --dry-run -Werror --style=file ${files} ERROR_VARIABLE errors RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "clang-format-14 -i would change these lines:\n${errors}")
endif()
message(STATUS "${count} files")
