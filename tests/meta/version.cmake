# SPDX-License-Identifier: MIT
#
# The version in the header is that of the changelog's newest entry.
cmake_minimum_required(VERSION 3.22)

set(parts)
foreach(part IN ITEMS MAJOR MINOR PATCH)
    file(STRINGS ${SOURCE}/include/vksort/vksort.h line REGEX "^#define VKSORT_VERSION_${part} ")
    string(REGEX REPLACE ".* ([0-9]+)$" "\\1" number "${line}")
    list(APPEND parts ${number})
endforeach()
list(JOIN parts "." header)
file(STRINGS ${SOURCE}/CHANGELOG.md entries REGEX "^## ")
list(GET entries 0 newest)
if(NOT newest MATCHES "^## \\[?([0-9]+\\.[0-9]+\\.[0-9]+)[^0-9]?")
    message(FATAL_ERROR "CHANGELOG.md begins with an entry that names no version: ${newest}")
endif()
if(NOT CMAKE_MATCH_1 STREQUAL header)
    message(FATAL_ERROR "vksort.h says ${header}, CHANGELOG.md says ${CMAKE_MATCH_1}")
endif()
message(STATUS "version ${header}")
