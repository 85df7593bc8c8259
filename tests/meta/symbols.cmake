# SPDX-License-Identifier: MIT
#
# cmake -DNM= -DLIBRARY= [-DSHARED=ON] [-DCOMPRESSED=ON] -P symbols.cmake
#
# The library's global names are the C interface, or lie in namespace vksort, so that they clash with no other library's. A
# shared library exports only the interface. The library calls the C library and nothing else: not Vulkan, no run-time
# library of C++, which a program in C does not link, and nothing that ends the process. It prints by fprintf alone, which
# src/message.cpp needs where a message has no other receiver.
cmake_minimum_required(VERSION 3.22)

set(dynamic)
if(SHARED)
    set(dynamic -D)
endif()

execute_process(COMMAND ${NM} ${dynamic} -g --defined-only ${LIBRARY}
    OUTPUT_VARIABLE output RESULT_VARIABLE result ERROR_QUIET)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${NM} cannot read ${LIBRARY}")
endif()
string(REGEX MATCHALL "[0-9a-f]+ [A-Z] [^\n]+" lines "${output}")
set(defined)
set(foreign)
set(interface 0)
foreach(line IN LISTS lines)
    string(REGEX REPLACE "^[0-9a-f]+ ([A-Z]) (.*)$" "\\1;\\2" parts "${line}")
    list(GET parts 0 kind)
    list(GET parts 1 name)
    list(APPEND defined ${name})
    if(name MATCHES "^vksort[A-Z]")
        math(EXPR interface "${interface} + 1")
    elseif(NOT SHARED AND (kind MATCHES "[VW]" OR name MATCHES "vksort" OR name MATCHES "Vksort"))
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

execute_process(COMMAND ${NM} ${dynamic} -g --undefined-only ${LIBRARY} OUTPUT_VARIABLE output ERROR_QUIET)
string(REGEX MATCHALL " U [A-Za-z0-9_]+" undefined "${output}")
list(TRANSFORM undefined REPLACE " U " "")
list(REMOVE_DUPLICATES undefined)
list(REMOVE_ITEM undefined ${defined})
set(wrong)
foreach(name IN LISTS undefined)
    if(name MATCHES "^(malloc|calloc|free|mem(cpy|move|set|cmp)|bcmp|str(cmp|len)|v?snprintf|sqrt|floor|pthread_mutex_[a-z]+)$")
        # libc, libm and the threads' library
    elseif(name MATCHES "^(getenv|fprintf|stderr)$")
        # src/message.cpp prints messages that no callback receives.
    elseif(COMPRESSED AND name MATCHES "^inflate(|Init2_|End)$")
        # zlib, in builds with VKSORT_COMPRESS_KERNELS
    elseif(name MATCHES "^_" AND NOT name MATCHES "^(_Z|__cxa|__gxx|_Unwind)")
        # what the compiler calls by itself: its own library of a few functions, checks of the C library and of sanitizers
    else()
        list(APPEND wrong ${name})
    endif()
endforeach()
if(wrong)
    message(FATAL_ERROR "the library calls what it may not: ${wrong}")
endif()
message(STATUS "${interface} functions, nothing foreign")
