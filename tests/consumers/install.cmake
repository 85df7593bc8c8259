# SPDX-License-Identifier: MIT
#
# Builds the library shared, with vksort::compiler at most beside it, installs it, and looks at what was installed.
cmake_minimum_required(VERSION 3.22)

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "failed: ${ARGN}")
    endif()
endfunction()

file(REMOVE_RECURSE ${PREFIX})
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Debug -DCMAKE_INSTALL_PREFIX=${PREFIX}
    -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_CXX_COMPILER=${COMPILER} -DBUILD_SHARED_LIBS=ON -DVKSORT_BUILD_HOST=OFF
    -DVKSORT_BUILD_TOOLS=OFF -DVKSORT_BUILD_TESTS=OFF -DVKSORT_BUILD_BENCH=OFF
    -DVKSORT_BUILD_COMPILER=${COMPILER_LIBRARY})
run(${CMAKE_COMMAND} --build ${BUILD})
run(${CMAKE_COMMAND} --install ${BUILD})

foreach(file IN ITEMS include/vksort/vksort.h include/vksort/vksort.hpp lib/cmake/vksort/vksortConfig.cmake
        lib/cmake/vksort/AddComparator.cmake share/vksort/shaders/comparator_variants.txt
        lib/cmake/vksort/vksortConfigVersion.cmake)
    if(NOT EXISTS ${PREFIX}/${file})
        message(FATAL_ERROR "${file} was not installed")
    endif()
endforeach()
file(READ ${PREFIX}/lib/cmake/vksort/vksortTargets.cmake targets)
if(targets MATCHES "${SOURCE}" OR targets MATCHES "-W[a-z]")
    message(FATAL_ERROR "the installed targets name the source tree, or carry warning flags:\n${targets}")
endif()

# Only the interface is visible.
file(GLOB library ${PREFIX}/lib/libvksort.so)
if(library)
    execute_process(COMMAND ${NM} -D --defined-only ${library} OUTPUT_VARIABLE defined RESULT_VARIABLE result)
    string(REGEX MATCHALL "[0-9a-f]+ [A-Z] [^\n]+" lines "${defined}")
    set(interface 0)
    foreach(line IN LISTS lines)
        if(line MATCHES " vksort[A-Z]")
            math(EXPR interface "${interface} + 1")
        else()
            message(FATAL_ERROR "exported, but no part of the interface: ${line}")
        endif()
    endforeach()
    if(interface LESS 15)
        message(FATAL_ERROR "only ${interface} functions are exported")
    endif()
elseif(UNIX AND NOT APPLE)
    message(FATAL_ERROR "no shared library was installed")
endif()
