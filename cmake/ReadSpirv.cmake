# SPDX-License-Identifier: MIT
#
# vksort_read_spirv(<file> <result>)          the words of a SPIR-V file as a C initializer, on one line
# vksort_spirv_array(<file> <name> <result>)  the definition of an array of them

function(vksort_read_spirv file result)
    file(READ ${file} code HEX)
    string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1," code "${code}")
    set(${result} "${code}" PARENT_SCOPE)
endfunction()

function(vksort_spirv_array file name result)
    vksort_read_spirv(${file} code)
    string(REGEX REPLACE "(0x........,0x........,0x........,0x........,0x........,0x........,0x........,0x........,)" "\\1\n"
        code "${code}")
    set(${result} "static const uint32_t ${name}[] = {\n${code}\n};\n" PARENT_SCOPE)
endfunction()
