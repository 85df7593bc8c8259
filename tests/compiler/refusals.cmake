# SPDX-License-Identifier: MIT
#
# vksort_add_comparator's script refuses each text in refused/ in the words that it expects, and leaves no output behind.
cmake_minimum_required(VERSION 3.22)

file(GLOB texts ${FOLDER}/refused/*.glsl)
set(count 0)
foreach(text IN LISTS texts)
    execute_process(COMMAND ${CMAKE_COMMAND} -DNAME=order -DSOURCE=${text} -DKEY_WORDS=4 -DSHADERS=${SHADERS}
        -DGLSLANG=${GLSLANG} -DTABLE=${OUTPUT}/order.c -DWORK=${OUTPUT}/order.spirv -P ${SCRIPT}
        RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    file(READ ${text} source)
    string(REPLACE ";" "<semicolon>" source "${source}") # no list
    string(REGEX MATCHALL "\n//![^\n]+" expected "${source}")
    list(TRANSFORM expected REPLACE "^\n//!" "${text}")
    list(JOIN expected "\n" expected)
    string(REPLACE "<semicolon>" ";" expected "${expected}")
    string(FIND "${output}" "${expected}\nCMake Error" at)
    if(result EQUAL 0 OR NOT at EQUAL 0 OR EXISTS ${OUTPUT}/order.c)
        message(SEND_ERROR "${text}: expected\n${expected}\nand was\n${output}")
    endif()
    math(EXPR count "${count} + 1")
endforeach()
if(count LESS 20)
    message(FATAL_ERROR "only ${count} texts were found")
endif()
message(STATUS "${count} texts are refused")
