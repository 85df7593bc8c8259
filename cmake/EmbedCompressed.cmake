# SPDX-License-Identifier: MIT
#
# cmake -DMODULE=<file.spv> -DNAME=<identifier> -DHEADER=<file.h> -P EmbedCompressed.cmake
#
# Writes a SPIR-V module, compressed by gzip, as an array of bytes that a C++ file includes, and the number of its words.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/ReadSpirv.cmake)

get_filename_component(output_dir ${HEADER} DIRECTORY)
file(MAKE_DIRECTORY ${output_dir})
vksort_gzip(${MODULE} ${HEADER}.gz bytes)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
file(SIZE ${MODULE} size)
math(EXPR words "${size} / 4")
file(WRITE ${HEADER} "#pragma once
static const size_t ${NAME}_words = ${words};
static const unsigned char ${NAME}[] = {\n${bytes}\n};\n")
