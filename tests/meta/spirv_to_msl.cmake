# SPDX-License-Identifier: MIT
#
# Every kernel translates to Metal's language, the road of MoltenVK.
cmake_minimum_required(VERSION 3.22)

string(REPLACE "|" ";" files "${FILES}")
file(MAKE_DIRECTORY ${OUTPUT})
set(failed)
foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    file(REMOVE ${OUTPUT}/${name}.metal) # one comparator's kernels are called like the other's
    execute_process(COMMAND ${PROGRAM} --msl --msl-version 20400 --output ${OUTPUT}/${name}.metal ${file}
        RESULT_VARIABLE result ERROR_VARIABLE text OUTPUT_VARIABLE text)
    if(result EQUAL 0)
        file(READ ${OUTPUT}/${name}.metal metal)
    endif()
    if(NOT result EQUAL 0 OR NOT metal MATCHES "kernel void")
        message("${file}: ${text}")
        list(APPEND failed ${name})
    endif()
endforeach()
if(failed OR NOT files)
    message(FATAL_ERROR "not translated: ${failed}")
endif()
list(LENGTH files count)
message(STATUS "${count} kernels translate to MSL 2.4")
