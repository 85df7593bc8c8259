# SPDX-License-Identifier: MIT
#
# The library's global names are the C interface, or lie in namespace vksort, so that it clashes with nobody. It neither
# links Vulkan nor prints nor ends the process.
cmake_minimum_required(VERSION 3.22)

execute_process(COMMAND ${NM} -g --defined-only ${LIBRARY} OUTPUT_VARIABLE defined RESULT_VARIABLE result ERROR_QUIET)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${NM} cannot read ${LIBRARY}")
endif()
string(REGEX MATCHALL "[0-9a-f]+ [A-Z] [^\n]+" lines "${defined}")
set(foreign)
set(interface 0)
foreach(line IN LISTS lines)
    string(REGEX REPLACE "^[0-9a-f]+ ([A-Z]) (.*)$" "\\1;\\2" parts "${line}")
    list(GET parts 0 kind)
    list(GET parts 1 name)
    if(name MATCHES "^vksort[A-Z]")
        math(EXPR interface "${interface} + 1")
    elseif(kind MATCHES "[VW]" OR name MATCHES "vksort" OR name MATCHES "Vksort")
        # weak: templates and inline functions, which every library may carry
    else()
        list(APPEND foreign ${name})
    endif()
endforeach()
if(foreign)
    message(FATAL_ERROR "global names that are not vksort's: ${foreign}")
endif()
if(interface LESS 15)
    message(FATAL_ERROR "only ${interface} functions of the interface were found")
endif()

execute_process(COMMAND ${NM} -g --undefined-only ${LIBRARY} OUTPUT_VARIABLE undefined ERROR_QUIET)
string(REGEX MATCHALL " U (vk[A-Z][A-Za-z0-9]*|v?printf|puts|f(printf|puts|write)|abort|exit|__cxa_throw)\n" wrong
    "${undefined}")
if(wrong)
    message(FATAL_ERROR "the library calls what it may not: ${wrong}")
endif()
message(STATUS "${interface} functions, nothing foreign")
