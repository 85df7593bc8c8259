# SPDX-License-Identifier: MIT
#
# cmake -DMODULE=<file.spv> -DNAME=<identifier> -DHEADER=<file.h> -P EmbedCompressed.cmake
#
# Writes a SPIR-V module, compressed by gzip, as an array of bytes that a C++ file includes, and the number of its words.
cmake_minimum_required(VERSION 3.22)

get_filename_component(output_dir ${HEADER} DIRECTORY)
file(MAKE_DIRECTORY ${output_dir})
set(archive ${HEADER}.gz)
file(ARCHIVE_CREATE OUTPUT ${archive} PATHS ${MODULE} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
file(READ ${archive} bytes HEX)
file(REMOVE ${archive})
# The header has the time at bytes 4 to 7. Zeros there make every build alike.
string(SUBSTRING "${bytes}" 0 8 begin)
string(SUBSTRING "${bytes}" 16 -1 rest)
set(bytes "${begin}00000000${rest}")
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
file(SIZE ${MODULE} size)
math(EXPR words "${size} / 4")
file(WRITE ${HEADER} "#pragma once
static const size_t ${NAME}_words = ${words};
static const unsigned char ${NAME}[] = {\n${bytes}\n};\n")
