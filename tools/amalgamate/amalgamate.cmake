# SPDX-License-Identifier: MIT
#
# cmake -P tools/amalgamate/amalgamate.cmake -- --operations sort --keys u32 --output DIR
#
# Writes the library as two files, DIR/vksort.h and DIR/vksort.cpp, which a project can compile without CMake and without a
# shader compiler. They need only the Vulkan headers. This script compiles the kernels in a build tree of its own.
#
#   --operations LIST   operations that have kernels, of sort, segmented_sort, merge, gather, separated by commas; default:
#                       sort
#   --keys LIST         key types, such as u32,f32,u64; default: u32. Types of up to 32 bits share their kernels, as do types
#                       of 64 bits
#   --values LIST       sizes of values in bytes: 0 for keys without values, and any of 4, 8, 12 and 16, which share their
#                       kernels with argsort; default: 0,4
#   --output DIR        the folder for the two files
#   --uncompressed      does not compress kernels: a larger source file and program, but no inflating when a plan is made
#   --build DIR         the build tree; default: build/amalgamation beside the sources
#   --kernels DIR       takes the kernels from DIR, the folder spirv in a finished build of these sources
cmake_minimum_required(VERSION 3.22)

get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
include(${root}/cmake/ReadSpirv.cmake)

function(fail text)
    message(FATAL_ERROR "amalgamate: ${text}")
endfunction()

# ---- Options

set(known_operations sort segmented_sort merge gather)
set(keys_of_32 u8 i8 u16 i16 f16 u32 i32 f32)
set(keys_of_64 u64 i64 f64)
set(operations sort)
set(keys u32)
set(values 0,4)
set(output "")
set(compress TRUE)
set(build ${root}/build/amalgamation)
set(kernels "")

set(at 0)
while(at LESS CMAKE_ARGC AND NOT "${CMAKE_ARGV${at}}" STREQUAL "--")
    math(EXPR at "${at} + 1")
endwhile()
math(EXPR at "${at} + 1")
while(at LESS CMAKE_ARGC)
    set(option "${CMAKE_ARGV${at}}")
    math(EXPR at "${at} + 1")
    if(option STREQUAL "--uncompressed")
        set(compress FALSE)
        continue()
    elseif(NOT option MATCHES "^--(operations|keys|values|output|build|kernels)$")
        fail("unknown option '${option}'; ${CMAKE_CURRENT_LIST_FILE} begins with those that there are")
    endif()
    if(at GREATER_EQUAL CMAKE_ARGC OR "${CMAKE_ARGV${at}}" STREQUAL "")
        fail("${option} needs a value")
    endif()
    set(${CMAKE_MATCH_1} "${CMAKE_ARGV${at}}")
    math(EXPR at "${at} + 1")
endwhile()
if(output STREQUAL "")
    fail("say by --output where vksort.h and vksort.cpp shall go")
endif()
foreach(folder IN ITEMS output build)
    get_filename_component(${folder} "${${folder}}" ABSOLUTE)
endforeach()
if(NOT kernels STREQUAL "")
    get_filename_component(kernels "${kernels}" ABSOLUTE)
endif()
string(REPLACE "," ";" operations "${operations}")
foreach(operation IN LISTS operations)
    if(NOT operation IN_LIST known_operations)
        list(JOIN known_operations ", " known)
        fail("unknown operation '${operation}'; there are ${known}")
    endif()
endforeach()
set(key_widths)
string(REPLACE "," ";" keys "${keys}")
foreach(key IN LISTS keys)
    if(key IN_LIST keys_of_32)
        list(APPEND key_widths 32)
    elseif(key IN_LIST keys_of_64)
        list(APPEND key_widths 64)
    else()
        list(JOIN keys_of_32 ", " known)
        list(JOIN keys_of_64 ", " more)
        fail("unknown key type '${key}'; there are ${known}, ${more}")
    endif()
endforeach()
list(REMOVE_DUPLICATES key_widths)
list(REMOVE_DUPLICATES operations)
string(REPLACE "," ";" values "${values}")
foreach(size IN LISTS values)
    if(NOT size MATCHES "^(0|4|8|12|16)$")
        fail("values of '${size}' bytes; there are 0 (keys without values), 4, 8, 12, 16")
    endif()
endforeach()
list(TRANSFORM values REPLACE "^0$" none)
list(TRANSFORM values REPLACE "^[0-9]+$" some)
list(REMOVE_DUPLICATES values)

# ---- The kernels

# Ninja is taken unless the environment variable CMAKE_GENERATOR names a generator.
set(generator)
find_program(ninja NAMES ninja ninja-build)
if(ninja AND "$ENV{CMAKE_GENERATOR}" STREQUAL "" AND NOT EXISTS ${build}/CMakeCache.txt)
    set(generator -G Ninja)
endif()
set(parts)
foreach(part IN ITEMS HOST COMPILER TOOLS BENCH TESTS EXAMPLES)
    list(APPEND parts -DVKSORT_BUILD_${part}=OFF)
endforeach()
function(run what)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT result EQUAL 0)
        fail("${what} failed:\n${text}")
    endif()
endfunction()
# Semicolons are escaped, so that a list stays one element of a list of arguments.
string(REPLACE ";" "\\;" operations_argument "-DVKSORT_OPERATIONS=${operations}")
string(REPLACE ";" "\\;" key_widths_argument "-DVKSORT_KEY_WIDTHS=${key_widths}")
string(REPLACE ";" "\\;" values_argument "-DVKSORT_VALUES=${values}")
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
run("CMake" ${CMAKE_COMMAND} -S ${root} -B ${build} ${generator} ${parts} -DCMAKE_BUILD_TYPE=Release
    "${operations_argument}" "${key_widths_argument}" "${values_argument}" -DVKSORT_COMPRESS_KERNELS=OFF
    "-DVKSORT_SPIRV_DIR=${kernels}" -DVKSORT_INSTALL=OFF)
if(kernels STREQUAL "")
    run("compiling the kernels" ${CMAKE_COMMAND} --build ${build} --config Release --target vksort_kernels --parallel ${cores})
    set(kernels ${build}/spirv)
    if(EXISTS ${kernels}/Release)
        set(kernels ${kernels}/Release)
    endif()
endif()

# ---- One text of all sources

# Appends a file to the global property `text`. Each of the project's own headers replaces its first #include.
function(append_file path)
    set_property(GLOBAL APPEND PROPERTY seen ${path})
    get_filename_component(folder ${path} DIRECTORY)
    file(RELATIVE_PATH name ${root} ${path})
    if(name MATCHES "^\\.\\.|^build") # a generated one
        get_filename_component(name ${path} NAME)
    endif()
    file(READ ${path} text)
    string(REGEX REPLACE "^// SPDX[^\n]*\n(//\n)?" "" text "${text}")
    string(REPLACE "#pragma once\n" "" text "${text}")
    set_property(GLOBAL APPEND_STRING PROPERTY text "\n// ---- ${name}\n\n")
    while(TRUE)
        string(FIND "${text}" "#include \"" begin)
        if(begin EQUAL -1)
            break()
        endif()
        string(SUBSTRING "${text}" 0 ${begin} before)
        string(SUBSTRING "${text}" ${begin} -1 text)
        string(REGEX MATCH "^#include \"([^\"]+)\"[^\n]*\n" line "${text}")
        set(included "${CMAKE_MATCH_1}")
        string(LENGTH "${line}" length)
        string(SUBSTRING "${text}" ${length} -1 text)
        set_property(GLOBAL APPEND_STRING PROPERTY text "${before}")
        if(included STREQUAL "vksort/vksort.h") # vksort.cpp begins with it
            continue()
        endif()
        set(found "")
        foreach(candidate IN ITEMS ${folder}/${included} ${root}/src/${included} ${build}/generated/${included})
            if(EXISTS ${candidate})
                get_filename_component(found ${candidate} ABSOLUTE)
                break()
            endif()
        endforeach()
        if(found STREQUAL "")
            fail("${path} includes ${included}, which is not there")
        endif()
        get_property(seen GLOBAL PROPERTY seen)
        if(NOT found IN_LIST seen)
            append_file(${found})
        endif()
    endwhile()
    set_property(GLOBAL APPEND_STRING PROPERTY text "${text}")
endfunction()

# The table of kernels is the last file, and includes the file of each kernel. A compressed kernel is written as 64-bit
# words, which take half as much text as bytes.
file(READ ${build}/generated/shader_table.cpp table)
string(REGEX MATCHALL "#include \"[a-z0-9_]+\\.h\"\n" names "${table}")
list(TRANSFORM names REPLACE "#include \"(.*)\\.h\"\n" "\\1")
list(REMOVE_ITEM names shader_table shader_ids)
list(LENGTH names kernel_count)
set(arrays "")
set(kernel_bytes 0)
foreach(name IN LISTS names)
    set(spirv ${kernels}/${name}.spv)
    file(SIZE ${spirv} size)
    if(compress)
        vksort_gzip(${spirv} ${build}/${name}.gz hex)
        string(LENGTH "${hex}" bytes)
        math(EXPR bytes "${bytes} / 2")
        math(EXPR words "${size} / 4")
        # The last word is filled up with zeros.
        string(REGEX REPLACE "(..)(..)(..)(..)(..)(..)(..)(..)" "0x\\8\\7\\6\\5\\4\\3\\2\\1," array "${hex}00000000000000")
        string(REGEX REPLACE ",[0-9a-f]*$" ",\n" array "${array}")
        string(REGEX REPLACE "(0x[0-9a-f]*,0x[0-9a-f]*,0x[0-9a-f]*,0x[0-9a-f]*,0x[0-9a-f]*,0x[0-9a-f]*,)" "\\1\n"
            array "${array}")
        string(REPLACE "\n\n" "\n" array "${array}")
        string(APPEND arrays "static const uint64_t kCode_${name}[] = {\n${array}};\n")
        set(row "nullptr, ${words}, \\1, reinterpret_cast<const unsigned char*>(kCode_${name}), ${bytes}}")
        string(REGEX REPLACE "kCode_${name}, sizeof kCode_${name} / sizeof \\*kCode_${name}, (true|false)}" "${row}"
            replaced "${table}")
        if(replaced STREQUAL table)
            fail("the table of kernels has no row for ${name}")
        endif()
        set(table "${replaced}")
    else()
        set(bytes ${size})
        vksort_spirv_array(${spirv} kCode_${name} array)
        string(APPEND arrays "${array}")
    endif()
    string(REPLACE "#include \"${name}.h\"\n" "" table "${table}")
    math(EXPR kernel_bytes "${kernel_bytes} + ${bytes}")
endforeach()
string(REPLACE "namespace {\n" "namespace {\n\n${arrays}" table "${table}")

file(GLOB sources ${root}/src/*.cpp ${root}/src/ops/*.cpp)
list(REMOVE_ITEM sources ${root}/src/inflate.cpp)
if(compress)
    list(APPEND sources ${root}/tools/amalgamate/inflate.cpp)
endif()
foreach(source IN LISTS sources)
    append_file(${source})
endforeach()
file(WRITE ${build}/shader_table.cpp "${table}")
append_file(${build}/shader_table.cpp)
get_property(text GLOBAL PROPERTY text)

# Every standard header is included once, at the top. Headers of one operating system, and zlib.h, stay where they are.
string(REGEX MATCHALL "\n#include <[a-z0-9_/.]+>" headers "${text}")
list(REMOVE_DUPLICATES headers)
list(FILTER headers EXCLUDE REGEX "windows\\.h|pthread\\.h|zlib\\.h")
list(SORT headers)
foreach(header IN LISTS headers)
    string(REPLACE "${header}" "" text "${text}")
endforeach()
list(JOIN headers "" headers)
string(REGEX REPLACE "\n\n\n+" "\n\n" text "${text}")

# ---- The files

file(READ ${root}/LICENSE licence)
string(STRIP "${licence}" licence)
string(REPLACE "\n" "\n// " licence "// ${licence}")
string(REPLACE "// \n" "//\n" licence "${licence}")
file(STRINGS ${root}/include/vksort/vksort.h version REGEX "^#define VKSORT_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
list(TRANSFORM version REPLACE ".* " "")
list(JOIN version "." version)
list(JOIN operations ", " operations)
list(JOIN key_widths ", " key_widths)
list(JOIN values ", " values)
string(CONCAT about "// vksort ${version}: sorts, merges and segmented sorts of GPU buffers with Vulkan 1.2 compute.\n"
    "// Generated: kernels for the operations ${operations}, key widths ${key_widths} and values ${values}.\n//\n${licence}\n")

file(READ ${root}/include/vksort/vksort.h header)
string(REGEX REPLACE "^// SPDX[^\n]*\n" "" header "${header}")
file(WRITE ${output}/vksort.h "// SPDX-License-Identifier: MIT\n//\n${about}\n${header}")
set(begin "")
if(compress)
    set(begin "\n#define VKSORT_COMPRESSED_KERNELS\n")
endif()
file(WRITE ${output}/vksort.cpp "// SPDX-License-Identifier: MIT
//
${about}//
// Compile this file as C++20, for example by `c++ -std=c++20 -O2 -fno-exceptions -fno-rtti -c vksort.cpp`. With these flags
// a C compiler can also link the object file, with -lm.
#include \"vksort.h\"
${headers}
${begin}${text}")
file(SIZE ${output}/vksort.cpp size)
file(SIZE ${output}/vksort.h header_size)
message("${output}/vksort.h: ${header_size} bytes
${output}/vksort.cpp: ${size} bytes, with ${kernel_count} kernels of ${kernel_bytes} bytes")
