# SPDX-License-Identifier: MIT
#
# Writes the library as two files, compiles them without CMake, and runs a program in C with them.
cmake_minimum_required(VERSION 3.22)
include(${SOURCE}/cmake/ShaderManifest.cmake)

set(amalgamate ${CMAKE_COMMAND} -P ${SOURCE}/tools/amalgamate/amalgamate.cmake -- --build ${BUILD}/tree --kernels ${KERNELS})
set(cxx ${CXX_COMPILER} -std=c++20 -I${BUILD})
set(strict -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Wrong arguments are refused with a message, and no file is written.
function(refuse words)
    execute_process(COMMAND ${amalgamate} ${ARGN} RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE text)
    string(REGEX REPLACE "[ \n]+" " " text "${text}")
    string(FIND "${text}" "${words}" position)
    if(result EQUAL 0 OR position EQUAL -1 OR EXISTS ${BUILD}/refused)
        message(FATAL_ERROR "'${words}' is not in:\n${text}")
    endif()
endfunction()

file(REMOVE_RECURSE ${BUILD})
refuse("unknown operation 'sorting'; there are sort, " --operations sort,sorting --output ${BUILD}/refused)
refuse("unknown key type 'u128'; there are u8, " --keys u128 --output ${BUILD}/refused)
refuse("values of '5' bytes; there are 0 " --values 4,5 --output ${BUILD}/refused)
refuse("unknown option '--order'" --output ${BUILD}/refused --order ascending)
refuse("--keys needs a value" --output ${BUILD}/refused --keys)
refuse("say by --output where" --keys u32)

# The library, compiled as by an engine, and a program that sorts with it.
run(${amalgamate} --operations sort --keys u32 --values 4 --output ${BUILD}/vksort)
run(${cxx} -O1 ${strict} -fno-exceptions -fno-rtti -c ${BUILD}/vksort/vksort.cpp -o ${BUILD}/vksort.o)
run(${C_COMPILER} -std=c99 -Wall -Wextra -Wshadow -Wconversion -Werror -I${BUILD} -c ${SOURCE}/tests/consumers/small/main.c
    -o ${BUILD}/main.o)
run(${C_COMPILER} ${BUILD}/main.o ${BUILD}/vksort.o ${VULKAN_LOADER} -lm -o ${BUILD}/program)
run(${BUILD}/program)
file(SIZE ${BUILD}/vksort/vksort.cpp size)
if(size GREATER 2100000)
    message(FATAL_ERROR "vksort.cpp has ${size} bytes, which is more than 2,100,000.")
endif()

# Every kernel of it is inflated and compared.
run(${cxx} -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all
    ${SOURCE}/tests/consumers/amalgamation/kernels.cpp -o ${BUILD}/kernels)
run(${BUILD}/kernels ${KERNELS})

# The library with all kernels, uncompressed.
run(${amalgamate} --operations sort,segmented_sort,merge,gather --keys f32,u64 --uncompressed --output ${BUILD}/all)
file(STRINGS ${BUILD}/all/vksort.cpp arrays REGEX "^static const uint32_t kCode_")
list(LENGTH arrays count)
vksort_read_manifest(${SOURCE}/shaders/variants.txt kernel)
list(LENGTH kernel_NAMES expected)
if(NOT count EQUAL expected)
    message(FATAL_ERROR "${count} kernels of ${expected} are in vksort.cpp.")
endif()
run(${cxx} -fsyntax-only ${strict} ${BUILD}/all/vksort.cpp)
