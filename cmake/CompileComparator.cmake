# SPDX-License-Identifier: MIT
#
# cmake -DNAME= -DSOURCE= -DKEY_WORDS= -DSHADERS= -DGLSLANG= -DTABLE= -DWORK= -P CompileComparator.cmake
#
# Compiles the kernels around the comparator in SOURCE and writes them to TABLE, C or C++, as a VksortComparatorInfo NAME.
# Part of vksort_add_comparator. src/compiler/ does the same at run time: what one refuses, so does the other.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/ReadSpirv.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ShaderManifest.cmake)

# Moves the first line of a text out of it. The text is no CMake list: it may hold semicolons and brackets.
macro(take_line text line)
    string(FIND "${${text}}" "\n" take_line_end)
    if(take_line_end EQUAL -1)
        set(${line} "${${text}}")
        set(${text} "")
    else()
        string(SUBSTRING "${${text}}" 0 ${take_line_end} ${line})
        math(EXPR take_line_end "${take_line_end} + 1")
        string(SUBSTRING "${${text}}" ${take_line_end} -1 ${text})
    endif()
endmacro()

# The text without comments, with the same lines.
function(strip_comments text result)
    set(stripped "")
    while(TRUE)
        string(FIND "${text}" "//" line_comment)
        string(FIND "${text}" "/*" block_comment)
        if(line_comment EQUAL -1 AND block_comment EQUAL -1)
            break()
        endif()
        if(block_comment EQUAL -1 OR (NOT line_comment EQUAL -1 AND line_comment LESS block_comment))
            set(begin ${line_comment})
            set(closing "\n")
            set(closing_length 0)
        else()
            set(begin ${block_comment})
            set(closing "*/")
            set(closing_length 2)
        endif()
        string(SUBSTRING "${text}" 0 ${begin} before)
        math(EXPR begin "${begin} + 2")
        string(SUBSTRING "${text}" ${begin} -1 text)
        string(FIND "${text}" "${closing}" end)
        if(end EQUAL -1)
            string(APPEND stripped "${before}")
            set(text "")
            break()
        endif()
        string(SUBSTRING "${text}" 0 ${end} comment)
        string(REGEX REPLACE "[^\n]" "" comment "${comment}")
        string(APPEND stripped "${before} ${comment}")
        math(EXPR end "${end} + ${closing_length}")
        string(SUBSTRING "${text}" ${end} -1 text)
    endwhile()
    set(${result} "${stripped}${text}" PARENT_SCOPE)
endfunction()

function(fail errors)
    file(REMOVE ${TABLE})
    string(STRIP "${errors}" errors)
    message("${errors}")
    message(FATAL_ERROR "The comparator ${NAME} was not compiled: see above.")
endfunction()

# glslang counts the words of an instruction in 16 bits, and lets them overflow. It says what is wrong with the result, but
# not by its exit status.
function(fail_if_invalid output)
    if("${output}" MATCHES "(^|\n)error: ")
        fail("${SOURCE}: becomes SPIR-V that is not valid; is there an array of more than 65,532 elements in it?")
    endif()
endfunction()

file(READ ${SOURCE} text)

# ---- Words that no comparator may contain

set(words)
file(STRINGS ${SHADERS}/comparator_refused.txt refused REGEX "^[^/]")
foreach(row IN LISTS refused)
    string(REGEX MATCH "^([^ ]+) (.*)$" row "${row}")
    list(APPEND words ${CMAKE_MATCH_1})
    set("reason_${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
endforeach()
list(JOIN words "|" alternatives)
strip_comments("${text}" rest)
set(errors "")
set(number 0)
while(NOT rest STREQUAL "")
    take_line(rest line)
    math(EXPR number "${number} + 1")
    string(REGEX REPLACE "#[ \t]+" "#" line "${line}")
    if(line MATCHES "(^|[^A-Za-z0-9_])(${alternatives})([^A-Za-z0-9_]|$)")
        set(word "${CMAKE_MATCH_2}")
        string(APPEND errors "${SOURCE}:${number}: '${word}' : not in a comparator: ${reason_${word}}\n")
    endif()
endwhile()
if(errors)
    fail("${errors}")
endif()

# ---- The text by itself, for errors without the kernels

file(MAKE_DIRECTORY ${WORK})
file(WRITE ${WORK}/comparator.glsl "#line 1 \"${SOURCE}\"\n${text}\n")
set(compile ${GLSLANG} --quiet -V --target-env vulkan1.2 -g0 --spirv-val -DCOMPARATOR -DKEY_WORDS=${KEY_WORDS} -I${SHADERS}
    -I${WORK})
execute_process(COMMAND ${compile} -S comp -o ${WORK}/check.spv ${SHADERS}/comparator_check.glsl
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
    set(rest "${output}")
    string(LENGTH "${SOURCE}:" prefix_length)
    while(NOT rest STREQUAL "")
        take_line(rest line)
        string(STRIP "${line}" line)
        string(REGEX REPLACE "^ERROR: " "" line "${line}")
        string(REGEX REPLACE ": '' : +" ": " line "${line}")
        string(REGEX REPLACE ":  +" ": " line "${line}")
        string(FIND "${line}" "${SOURCE}:" at)
        if(at EQUAL 0 AND NOT line MATCHES "compilation terminated$")
            string(APPEND errors "${line}\n")
        endif()
    endwhile()
    if(errors)
        fail("${errors}")
    endif()
    if(output MATCHES "'before' : no matching overloaded function|cannot convert from")
        fail("${SOURCE}: there is no function 'bool before(Key a, Key b)'")
    elseif(output MATCHES "No function definition \\(body\\) found:[ \n]*([^ \n(]+)")
        fail("${SOURCE}: '${CMAKE_MATCH_1}' : function without a body")
    elseif(output MATCHES "Recursion detected")
        fail("${SOURCE}: a function calls itself, which GLSL does not allow")
    elseif(output MATCHES "comparator_(check|key)\\.glsl:")
        fail("${SOURCE}: ends inside something, or closes too much: a '}', ';' or #endif is missing or one too many")
    endif()
    fail("${output}") # glslang could not be run
endif()
fail_if_invalid("${output}")

# OpCapability: behind the five words of the header, two words each. Capability 1 is what every shader has.
vksort_read_spirv(${WORK}/check.spv code)
string(SUBSTRING "${code}" 55 -1 code)
while(code MATCHES "^0x00020011,0x(........),(.*)$")
    set(code "${CMAKE_MATCH_2}")
    math(EXPR capability "0x${CMAKE_MATCH_1}")
    if(NOT capability EQUAL 1)
        fail("${SOURCE}: needs what the device may not have, such as 64-bit floats (SPIR-V capability ${capability})")
    endif()
endwhile()

# ---- The kernels

set(arrays "")
set(rows "")
vksort_read_manifest(${SHADERS}/comparator_variants.txt kernel)
foreach(kernel IN LISTS kernel_NAMES)
    set(defines "${kernel_${kernel}_DEFINES}")
    list(TRANSFORM defines PREPEND -D)
    set(spirv ${WORK}/${kernel}.spv)
    execute_process(COMMAND ${compile} ${defines} -o ${spirv} ${SHADERS}/${kernel_${kernel}_FILE}
        RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        # The text alone is right, so it is in the kernel's way.
        if(output MATCHES "Macro redefined; different substitutions: ([A-Za-z0-9_]+)")
        elseif(NOT output MATCHES "^[^']*'([A-Za-z0-9_]+)'")
            fail("${SOURCE}: a name or macro of it is in the way of the kernels: choose another")
        endif()
        fail("${SOURCE}: the kernels have a '${CMAKE_MATCH_1}' of their own: choose another name")
    endif()
    fail_if_invalid("${output}")
    vksort_spirv_array(${spirv} ${kernel} array)
    string(APPEND arrays "${array}")
    string(APPEND rows "    {${kernel}, sizeof ${kernel} / sizeof *${kernel}},\n")
endforeach()
list(LENGTH kernel_NAMES count)
file(WRITE ${TABLE} "/* Generated from ${SOURCE}. */
#include \"${NAME}.h\"

${arrays}
static const VksortSpirv kernels[] = {
${rows}};

const VksortComparatorInfo ${NAME} = {VKSORT_COMPARATOR_VERSION, ${KEY_WORDS}, ${count}, kernels};
")
