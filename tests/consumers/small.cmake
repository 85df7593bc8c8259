# SPDX-License-Identifier: MIT
#
# Builds the program in small/ with the kernels of this build, runs it, and says by how many bytes the library makes it larger.
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

execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/small -B ${BUILD} -G ${GENERATOR} -DCMAKE_C_COMPILER=${C_COMPILER}
        -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=Release -DCMAKE_CONFIGURATION_TYPES=Release
        -DCMAKE_C_FLAGS_RELEASE=-O2 -DCMAKE_CXX_FLAGS_RELEASE=-O2 -DCMAKE_EXE_LINKER_FLAGS_RELEASE=-s -DCMAKE_UNITY_BUILD=ON
        -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 -DVKSORT_SOURCE=${SOURCE} -DVKSORT_SPIRV_DIR=${kernels}
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --config Release COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE program ${BUILD}/consumer)
file(GLOB_RECURSE empty ${BUILD}/empty)
execute_process(COMMAND ${program} COMMAND_ERROR_IS_FATAL ANY)
file(SIZE ${program} size)
file(SIZE ${empty} least)
math(EXPR growth "${size} - ${least}")
message("The library makes a program larger by ${growth} bytes.")
if(growth GREATER 1000000)
    message(FATAL_ERROR "That is more than 1,000,000.")
endif()
