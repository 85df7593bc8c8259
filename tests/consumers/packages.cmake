# SPDX-License-Identifier: MIT
#
# What CMake makes of a machine that has the packages of the library alone, of kernels that are left out, and of Vulkan headers that
# are too old.
cmake_minimum_required(VERSION 3.22)

# Configures with the library's packages alone.
function(configure result output)
    execute_process(
        COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} -G ${GENERATOR} -DCMAKE_C_COMPILER=${C_COMPILER}
            -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DVOLK_INCLUDE_DIR=OFF -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON
            -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON -DCMAKE_DISABLE_FIND_PACKAGE_glslang=ON
            -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON ${ARGN}
        RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    string(REGEX REPLACE "[ \n]+" " " text "${text}")
    set(${result} ${status} PARENT_SCOPE)
    set(${output} "${text}" PARENT_SCOPE)
endfunction()

function(expect text)
    foreach(words IN LISTS ARGN)
        string(FIND "${text}" "${words}" position)
        if(position EQUAL -1)
            message(FATAL_ERROR "'${words}' is not in:\n${text}")
        endif()
    endforeach()
endfunction()

file(REMOVE_RECURSE ${BUILD})
configure(status text)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "the library needs more than its own packages:\n${text}")
endif()
expect("${text}"
    "vksort: vksort::host will not be built without volk (libvulkan-volk-dev)"
    "vksort: vksort::compiler will not be built without glslang's libraries"
    "vksort: the tool vksort will not be built without volk (libvulkan-volk-dev), CLI11 (libcli11-dev), fmt (libfmt-dev) --"
    "vksort: vksort-bench and vksort-tune will not be built without volk"
    "vksort: the examples will not be built without volk (libvulkan-volk-dev), CLI11 (libcli11-dev)"
    "vksort: the tests will not be built without volk (libvulkan-volk-dev), GoogleTest (libgtest-dev)")

# A part that was asked for is not left out.
configure(status text -DVKSORT_BUILD_TOOLS=ON)
if(status EQUAL 0)
    message(FATAL_ERROR "VKSORT_BUILD_TOOLS=ON has left out the tool:\n${text}")
endif()
expect("${text}" "VKSORT_BUILD_TOOLS is ON, but the tool vksort cannot be built without volk (libvulkan-volk-dev), CLI11")

# What needs all kernels is not built where some are left out.
configure(status text -DVKSORT_BUILD_TOOLS=AUTO -DVKSORT_KEY_WIDTHS=32)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "kernels cannot be left out:\n${text}")
endif()
foreach(part IN ITEMS "the tool vksort" "vksort-bench and vksort-tune" "the examples" "the tests")
    if(NOT text MATCHES "vksort: ${part} will not be built without [^.]*all kernels .VKSORT_OPERATIONS")
        message(FATAL_ERROR "${part} would be built without all kernels:\n${text}")
    endif()
endforeach()
configure(status text -DVKSORT_KEY_WIDTHS=32 -DVKSORT_OPERATIONS=sorting)
if(status EQUAL 0)
    message(FATAL_ERROR "there is no operation sorting")
endif()
expect("${text}" "VKSORT_OPERATIONS has the unknown word 'sorting'. It is a list of some of these: sort, segmented_sort, merge, gather.")
configure(status text -DVKSORT_KEY_WIDTHS= -DVKSORT_OPERATIONS=sort)
if(status EQUAL 0)
    message(FATAL_ERROR "no key width was taken for some")
endif()
expect("${text}" "VKSORT_KEY_WIDTHS is empty.")
configure(status text -DVKSORT_KEY_WIDTHS=32 -DVKSORT_COMPRESS_KERNELS=ON -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON)
if(status EQUAL 0)
    message(FATAL_ERROR "kernels are compressed without zlib")
endif()
expect("${text}" "VKSORT_COMPRESS_KERNELS needs zlib (Debian: zlib1g-dev)")

set(headers ${BUILD}/old_headers)
file(WRITE ${headers}/vulkan/vulkan_core.h "#define VK_HEADER_VERSION 203
#define VK_HEADER_VERSION_COMPLETE VK_MAKE_API_VERSION(0, 1, 2, VK_HEADER_VERSION)
")
configure(status text -DVKSORT_BUILD_TOOLS=OFF -DVKSORT_COMPRESS_KERNELS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_VulkanHeaders=ON -DVulkan_INCLUDE_DIR=${headers})
if(status EQUAL 0)
    message(FATAL_ERROR "the headers are too old:\n${text}")
endif()
expect("${text}" "are of version 1.2.203. vksort needs 1.3.204 or newer.")
