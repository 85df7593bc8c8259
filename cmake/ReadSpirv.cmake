# SPDX-License-Identifier: MIT
#
# vksort_read_spirv(<file> <result>)          the words of a SPIR-V file as a C initializer, on one line
# vksort_spirv_array(<file> <name> <result>)  the definition of an array of them
# vksort_gzip(<file> <archive> <result>)      the file compressed by gzip, as hexadecimal digits; <archive> is temporary

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

function(vksort_gzip file archive result)
    file(ARCHIVE_CREATE OUTPUT ${archive} PATHS ${file} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
    file(READ ${archive} bytes HEX)
    file(REMOVE ${archive})
    # Bytes 4 to 7 of the gzip header are the time. They are set to zero, so that builds are reproducible.
    string(SUBSTRING "${bytes}" 0 8 begin)
    string(SUBSTRING "${bytes}" 16 -1 rest)
    set(${result} "${begin}00000000${rest}" PARENT_SCOPE)
endfunction()
