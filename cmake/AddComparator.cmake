# SPDX-License-Identifier: MIT
#
# vksort_add_comparator(<target> NAME <identifier> SOURCE <file.glsl> KEY_SIZE <bytes>)
#
# Compiles the kernels of a comparator, a GLSL function `bool before(Key a, Key b)` over keys of KEY_SIZE bytes (a multiple
# of 4, up to 64), and adds them to the target, which has to link vksort::vksort and to be made in the calling directory.
# The target can then include <identifier>.h, which declares
#     extern const VksortComparatorInfo <identifier>;
# for vksortCreateComparator. Editing the text compiles it again. docs/comparators.md is the manual.

include(${CMAKE_CURRENT_LIST_DIR}/ShaderManifest.cmake)

function(vksort_add_comparator target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;SOURCE;KEY_SIZE" "")
    set(call "vksort_add_comparator(${target} NAME ${arg_NAME})")
    if(NOT TARGET ${target})
        message(FATAL_ERROR "${call}: there is no target ${target}")
    endif()
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${call}: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT arg_NAME MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
        message(FATAL_ERROR "${call}: NAME has to be an identifier of C")
    endif()
    if(NOT arg_KEY_SIZE MATCHES "^[1-9][0-9]*$" OR arg_KEY_SIZE GREATER 64)
        message(FATAL_ERROR "${call}: KEY_SIZE has to be 4, 8, ... 64 bytes, not '${arg_KEY_SIZE}'")
    endif()
    math(EXPR odd_bytes "${arg_KEY_SIZE} % 4")
    if(NOT odd_bytes EQUAL 0)
        message(FATAL_ERROR "${call}: KEY_SIZE has to be 4, 8, ... 64 bytes, not '${arg_KEY_SIZE}'")
    endif()
    math(EXPR key_words "${arg_KEY_SIZE} / 4")
    get_filename_component(source "${arg_SOURCE}" ABSOLUTE)
    if(NOT arg_SOURCE OR NOT EXISTS "${source}" OR IS_DIRECTORY "${source}")
        message(FATAL_ERROR "${call}: there is no file SOURCE ${source}")
    endif()
    find_program(VKSORT_GLSLANG NAMES glslangValidator glslang)
    if(NOT VKSORT_GLSLANG)
        message(FATAL_ERROR "${call} needs glslang (Debian: glslang-tools). Install it or set VKSORT_GLSLANG to "
            "glslangValidator.")
    endif()

    get_property(shader_dir GLOBAL PROPERTY VKSORT_SHADER_DIR)
    file(GLOB shaders ${shader_dir}/*.comp ${shader_dir}/*.glsl ${shader_dir}/*/*.glsl ${shader_dir}/*/*.h)
    set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CompileComparator.cmake)
    set(output_dir ${CMAKE_CURRENT_BINARY_DIR}/vksort_comparators/${target})
    # A project of one language cannot compile the other. Those of the whole build are not asked for: vksort itself, as a
    # subdirectory, brings C++ there.
    set(ending c)
    if(CMAKE_CXX_COMPILER_LOADED)
        set(ending cpp)
    endif()
    set(table ${output_dir}/${arg_NAME}.${ending})
    set(header ${output_dir}/${arg_NAME}.h)
    add_custom_command(
        OUTPUT ${table}
        COMMAND ${CMAKE_COMMAND} -DNAME=${arg_NAME} -DSOURCE=${source} -DKEY_WORDS=${key_words} -DSHADERS=${shader_dir}
            -DGLSLANG=${VKSORT_GLSLANG} -DTABLE=${table} -DWORK=${output_dir}/${arg_NAME}.spirv -P ${script}
        DEPENDS ${source} ${script} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ReadSpirv.cmake
            ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ShaderManifest.cmake ${shaders}
            ${shader_dir}/comparator_variants.txt ${shader_dir}/comparator_refused.txt
        COMMENT "Compiling comparator ${arg_NAME}"
        VERBATIM)
    file(CONFIGURE OUTPUT ${header} @ONLY CONTENT
"/* Generated from @source@. */
#pragma once

#include <vksort/vksort.h>

#ifdef __cplusplus
extern \"C\" {
#endif

extern const VksortComparatorInfo @arg_NAME@;

#ifdef __cplusplus
}
#endif
")
    # Tables of several comparators name their kernels alike.
    set_source_files_properties(${table} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    target_sources(${target} PRIVATE ${header} ${table})
    target_include_directories(${target} PRIVATE ${output_dir})
endfunction()
