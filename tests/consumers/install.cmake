# SPDX-License-Identifier: MIT
#
# Installs the build under test and looks at what is there.
cmake_minimum_required(VERSION 3.22)

file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} --config ${CONFIG} OUTPUT_QUIET
    RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "it could not be installed; was everything built?")
endif()

foreach(file IN ITEMS include/vksort/vksort.h include/vksort/vksort.hpp ${LIBDIR}/cmake/vksort/vksortConfig.cmake
        ${LIBDIR}/cmake/vksort/AddComparator.cmake share/vksort/shaders/comparator_variants.txt
        ${LIBDIR}/cmake/vksort/vksortConfigVersion.cmake ${LIBDIR}/pkgconfig/vksort.pc share/licenses/vksort/LICENSE
        share/doc/vksort/README.md share/doc/vksort/docs/guide.md share/doc/vksort/examples/minimal.c)
    if(NOT EXISTS ${PREFIX}/${file})
        message(FATAL_ERROR "${file} was not installed")
    endif()
endforeach()
file(READ ${PREFIX}/${LIBDIR}/cmake/vksort/vksortTargets.cmake targets)
if(targets MATCHES "${SOURCE}" OR targets MATCHES "-W[a-z]")
    message(FATAL_ERROR "the installed targets name the source tree, or carry warning flags:\n${targets}")
endif()
