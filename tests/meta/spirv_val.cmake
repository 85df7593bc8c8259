# SPDX-License-Identifier: MIT
#
# Every kernel is valid for Vulkan 1.2, the floor.
cmake_minimum_required(VERSION 3.22)

string(REPLACE "|" ";" files "${FILES}")
list(LENGTH files count)
if(count LESS 10)
    message(FATAL_ERROR "only ${count} kernels were given")
endif()
set(failed)
foreach(file IN LISTS files)
    execute_process(COMMAND ${PROGRAM} --target-env vulkan1.2 ${file} RESULT_VARIABLE result ERROR_VARIABLE text
        OUTPUT_VARIABLE text)
    if(NOT result EQUAL 0)
        message("${file}: ${text}")
        list(APPEND failed ${file})
    endif()
endforeach()
if(failed)
    message(FATAL_ERROR "invalid kernels: ${failed}")
endif()
message(STATUS "${count} kernels are valid")
