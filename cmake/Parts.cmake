# SPDX-License-Identifier: MIT
#
# The parts beside the library, and the packages and kernels that they need. Each has an option VKSORT_BUILD_<PART>:
#
#   AUTO   it is built where its packages are found, and one line of the output says why where it is not; the default of a
#          project of its own
#   ON     its packages are required
#   OFF    it is not built; the default inside another project

set(vksort_default OFF)
if(PROJECT_IS_TOP_LEVEL)
    set(vksort_default AUTO)
endif()
set(VKSORT_BUILD_TOOLS ${vksort_default} CACHE STRING "Build the command-line tool")
set(VKSORT_BUILD_TESTS ${vksort_default} CACHE STRING "Build the tests")
set(VKSORT_BUILD_BENCH ${vksort_default} CACHE STRING "Build vksort-bench and vksort-tune")
set(VKSORT_BUILD_EXAMPLES ${vksort_default} CACHE STRING "Build the examples, which are among the tests anyway")
set(VKSORT_BUILD_HOST ${vksort_default} CACHE STRING "Build vksort::host, which tools, tests and benchmarks contain anyway")
set(VKSORT_BUILD_COMPILER ${vksort_default} CACHE STRING "Build vksort::compiler, comparators from GLSL at run time")

# vksort_part(<PART> <what it is> [<variable> <what is missing where the variable is false>]...)
#
# Turns VKSORT_BUILD_<PART> off where something is missing, or fails if the part is required.
function(vksort_part part what)
    set_property(CACHE VKSORT_BUILD_${part} PROPERTY STRINGS AUTO ON OFF)
    if(NOT VKSORT_BUILD_${part})
        return()
    endif()
    set(missing)
    while(ARGN)
        list(POP_FRONT ARGN variable need)
        if(NOT ${variable} AND NOT need IN_LIST missing)
            list(APPEND missing "${need}")
        endif()
    endwhile()
    list(JOIN missing ", " missing)
    if(missing STREQUAL "")
        return()
    elseif(NOT VKSORT_BUILD_${part} STREQUAL "AUTO")
        message(FATAL_ERROR "VKSORT_BUILD_${part} is ON, but ${what} cannot be built without ${missing}.")
    endif()
    message(STATUS "vksort: ${what} will not be built without ${missing}")
    set(VKSORT_BUILD_${part} OFF PARENT_SCOPE)
endfunction()

set(vksort_host_needs)
if(VKSORT_BUILD_HOST OR VKSORT_BUILD_TOOLS OR VKSORT_BUILD_TESTS OR VKSORT_BUILD_BENCH OR VKSORT_BUILD_EXAMPLES)
    find_path(VOLK_INCLUDE_DIR volk.h PATH_SUFFIXES volk Volk)
    mark_as_advanced(VOLK_INCLUDE_DIR)
    set(vksort_host_needs VOLK_INCLUDE_DIR "volk (libvulkan-volk-dev)")
endif()
vksort_part(HOST "vksort::host" ${vksort_host_needs})

set(vksort_program_needs ${vksort_host_needs})
if(VKSORT_BUILD_TOOLS OR VKSORT_BUILD_BENCH)
    find_package(CLI11 QUIET)
    find_package(fmt QUIET)
    find_package(nlohmann_json QUIET)
    list(APPEND vksort_program_needs CLI11_FOUND "CLI11 (libcli11-dev)" fmt_FOUND "fmt (libfmt-dev)"
        nlohmann_json_FOUND "nlohmann_json (nlohmann-json3-dev)")
endif()
set(vksort_kernel_needs vksort_has_all_kernels "all kernels (VKSORT_OPERATIONS, VKSORT_KEY_WIDTHS and VKSORT_VALUES leave some out)")
vksort_part(TOOLS "the tool vksort" ${vksort_program_needs} ${vksort_kernel_needs})

# Tests and benchmarks call functions that a shared library does not export.
set(vksort_is_static TRUE)
if(BUILD_SHARED_LIBS)
    set(vksort_is_static FALSE)
endif()
set(vksort_static_needs vksort_is_static "a static library (BUILD_SHARED_LIBS=OFF)")
vksort_part(BENCH "vksort-bench and vksort-tune" ${vksort_program_needs} ${vksort_static_needs} ${vksort_kernel_needs})

if(VKSORT_BUILD_COMPILER)
    find_package(SPIRV-Tools-opt CONFIG QUIET) # glslang's own package does not look for it
    find_package(glslang CONFIG QUIET)
    set(vksort_has_glslang FALSE)
    if(TARGET glslang::SPIRV AND TARGET glslang::glslang-default-resource-limits)
        set(vksort_has_glslang TRUE)
    endif()
    vksort_part(COMPILER "vksort::compiler" vksort_has_glslang "glslang's libraries of version 12 or newer (glslang-dev)")
endif()

set(vksort_example_needs)
if(VKSORT_BUILD_EXAMPLES OR (VKSORT_BUILD_TESTS AND NOT CMAKE_CROSSCOMPILING))
    find_library(VKSORT_VULKAN_LOADER NAMES vulkan vulkan-1)
    mark_as_advanced(VKSORT_VULKAN_LOADER)
    find_package(CLI11 QUIET)
    find_package(PNG QUIET)
    set(vksort_example_needs ${vksort_host_needs} VKSORT_GLSLANG "glslangValidator (glslang-tools)" CLI11_FOUND
        "CLI11 (libcli11-dev)" PNG_FOUND "libpng (libpng-dev)"
        VKSORT_VULKAN_LOADER "the Vulkan loader's library (libvulkan-dev)" ${vksort_kernel_needs})
endif()
vksort_part(EXAMPLES "the examples" ${vksort_example_needs})

if(VKSORT_BUILD_TESTS)
    find_package(GTest QUIET)
    set(vksort_test_needs ${vksort_host_needs} ${vksort_static_needs} ${vksort_kernel_needs} GTest_FOUND "GoogleTest (libgtest-dev)")
    if(NOT CMAKE_CROSSCOMPILING) # a cross build has the unit tests only
        list(APPEND vksort_test_needs ${vksort_example_needs})
        find_program(VKSORT_SPIRV_CROSS NAMES spirv-cross)
        find_program(VKSORT_NM NAMES ${CMAKE_NM} nm)
        find_program(VKSORT_PKG_CONFIG NAMES pkgconf pkg-config)
        mark_as_advanced(VKSORT_SPIRV_CROSS VKSORT_NM VKSORT_PKG_CONFIG)
        include(${PROJECT_SOURCE_DIR}/tests/devices.cmake)
        find_package(ZLIB QUIET)
        list(APPEND vksort_test_needs ${vksort_device_needs} VKSORT_SPIRV_VAL "spirv-val (spirv-tools)"
            VKSORT_SPIRV_OPT "spirv-opt (spirv-tools)" ZLIB_FOUND "zlib (zlib1g-dev)"
            VKSORT_SPIRV_CROSS "spirv-cross (spirv-cross)" VKSORT_NM "nm (binutils)" VKSORT_PKG_CONFIG "pkg-config (pkgconf)")
    endif()
    vksort_part(TESTS "the tests" ${vksort_test_needs})
endif()
