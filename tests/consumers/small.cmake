# SPDX-License-Identifier: MIT
#
# Builds the program in small/ with the kernels of this build, runs it, and says by how many bytes the library makes it larger; then
# once more with the library installed.
cmake_minimum_required(VERSION 3.22)

# A Debug build's kernels have names and lines in them, which nobody would ship.
set(kernels ${BUILD}/kernels)
file(REMOVE_RECURSE ${BUILD})
file(MAKE_DIRECTORY ${kernels})
file(GLOB modules ${KERNELS}/*.spv)
foreach(module IN LISTS modules)
    get_filename_component(name ${module} NAME)
    if(NOT name MATCHES "_k2") # wider keys
        execute_process(COMMAND ${SPIRV_OPT} --strip-debug ${module} -o ${kernels}/${name} COMMAND_ERROR_IS_FATAL ANY)
    endif()
endforeach()

set(options -G ${GENERATOR} -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_CONFIGURATION_TYPES=Release -DCMAKE_C_FLAGS_RELEASE=-O2 -DCMAKE_CXX_FLAGS_RELEASE=-O2
    -DCMAKE_EXE_LINKER_FLAGS_RELEASE=-s -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0)

# Configures, builds and runs the program in a folder. Sets `growth` to the bytes that it is larger than the empty one.
function(build folder)
    execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/small -B ${folder} ${options} ${ARGN}
        COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${CMAKE_COMMAND} --build ${folder} --config Release COMMAND_ERROR_IS_FATAL ANY)
    set(output_dir ${folder})
    if(NOT EXISTS ${folder}/consumer)
        set(output_dir ${folder}/Release)
    endif()
    execute_process(COMMAND ${output_dir}/consumer COMMAND_ERROR_IS_FATAL ANY)
    file(SIZE ${output_dir}/consumer size)
    file(SIZE ${output_dir}/empty least)
    math(EXPR growth "${size} - ${least}")
    set(growth ${growth} PARENT_SCOPE)
endfunction()

build(${BUILD}/source -DVKSORT_SOURCE=${SOURCE} -DVKSORT_SPIRV_DIR=${kernels})
message("The library makes a program larger by ${growth} bytes.")
if(growth GREATER 850000)
    message(FATAL_ERROR "That is more than 850,000.")
endif()

# Installed, it has its users find zlib.
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD}/source --prefix ${BUILD}/prefix --config Release
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
build(${BUILD}/installed -DCMAKE_PREFIX_PATH=${BUILD}/prefix)
