# SPDX-License-Identifier: MIT
#
# cmake -DMODULE=<file.spv> -DNAME=<identifier> -DHEADER=<file.h> -P EmbedSpirv.cmake
#
# Writes a SPIR-V module as an array of words that a C++ file includes.
include(${CMAKE_CURRENT_LIST_DIR}/ReadSpirv.cmake)
vksort_spirv_array(${MODULE} ${NAME} array)
file(WRITE ${HEADER} "#pragma once\n${array}")
