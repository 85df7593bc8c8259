# SPDX-License-Identifier: MIT
#
# cmake -DMODULE=<file.spv> -DNAME=<identifier> -DHEADER=<file.h> -P EmbedSpirv.cmake
#
# Writes a SPIR-V module as a C array of words, as glslang does with --vn.
file(READ ${MODULE} bytes HEX)
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1,\n" words "${bytes}")
file(WRITE ${HEADER} "#pragma once\nconst uint32_t ${NAME}[] = {\n${words}};\n")
