# SPDX-License-Identifier: MIT
#
# vksort_embed_shaders(<target> MANIFEST <file>)
#
# Compiles the kernels that the manifest lists, into the build tree, and adds them to the target as a table
# (src/shader_table.h) and a header of their numbers (shader_ids.h). A line of the manifest is
#     name = file [DEFINE=VALUE ...] [OPTIMIZE] [CHECKED]
# with the file beside the manifest (ShaderManifest.cmake). Includes are tracked, so that editing one rebuilds the kernels
# that use it and no other. OPTIMIZE asks for spirv-opt, for kernels that a driver was seen to compile better after it; without
# the tool they are as glslang makes them. CHECKED becomes ShaderModule::checked. The global property VKSORT_SPIRV_FILES lists
# the .spv files, each named after its module.
#
# Compiled kernels are the same for every host. So that a second build, such as a cross build, need not compile them again,
# VKSORT_SPIRV_DIR can name the folder spirv/ in the build tree of a first one; glslang is not needed then.

include(${CMAKE_CURRENT_LIST_DIR}/ShaderManifest.cmake)

find_program(VKSORT_GLSLANG NAMES glslangValidator glslang)
find_program(VKSORT_SPIRV_VAL NAMES spirv-val)
find_program(VKSORT_SPIRV_OPT NAMES spirv-opt)
set(VKSORT_SPIRV_DIR "" CACHE PATH "Folder of kernels that another build of these sources compiled; empty: compile them")
mark_as_advanced(VKSORT_GLSLANG VKSORT_SPIRV_VAL VKSORT_SPIRV_OPT VKSORT_SPIRV_DIR)

function(vksort_embed_shaders target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "MANIFEST" "")
    if(NOT VKSORT_GLSLANG AND NOT VKSORT_SPIRV_DIR)
        message(FATAL_ERROR "vksort needs glslang to compile its kernels (Debian: glslang-tools). "
            "Install it or set VKSORT_GLSLANG to glslangValidator.")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${arg_MANIFEST})
    get_filename_component(source_dir ${arg_MANIFEST} DIRECTORY)
    set(embed_script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/EmbedSpirv.cmake)
    set(read_script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ReadSpirv.cmake)
    set(output_dir ${CMAKE_CURRENT_BINARY_DIR}/spirv)
    set(generated_dir ${CMAKE_CURRENT_BINARY_DIR}/generated)
    file(MAKE_DIRECTORY ${output_dir} ${generated_dir})
    get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    if(multi_config AND NOT CMAKE_GENERATOR STREQUAL "Xcode") # whose targets have the same sources in every configuration
        list(TRANSFORM CMAKE_CONFIGURATION_TYPES PREPEND ${output_dir}/ OUTPUT_VARIABLE config_dirs)
        file(MAKE_DIRECTORY ${config_dirs})
        string(APPEND output_dir /$<CONFIG>)
    endif()
    if(VKSORT_SPIRV_DIR)
        set(output_dir ${VKSORT_SPIRV_DIR})
    endif()

    # Debug builds keep names and lines, for RenderDoc and the like.
    set(flags --quiet -V --target-env vulkan1.2 $<IF:$<CONFIG:Debug>,-g,-g0> -I${source_dir})
    if(NOT VKSORT_SPIRV_OPT AND NOT VKSORT_SPIRV_DIR)
        message(STATUS "vksort: without spirv-opt (Debian: spirv-tools) some kernels are up to 8 % slower on NVIDIA")
    endif()

    set(spirv_files)
    set(headers)
    set(ids)
    set(includes)
    set(rows)
    vksort_read_manifest(${arg_MANIFEST} kernel)
    foreach(name IN LISTS kernel_NAMES)
        set(spirv ${output_dir}/${name}.spv)
        set(header ${output_dir}/${name}.h)
        list(APPEND spirv_files ${spirv})
        list(APPEND headers ${header})
        string(APPEND ids "    kModule_${name},\n")
        string(APPEND includes "#include \"${name}.h\"\n")
        string(TOLOWER ${kernel_${name}_CHECKED} checked)
        string(APPEND rows
            "    {\"${name}\", kCode_${name}, sizeof kCode_${name} / sizeof *kCode_${name}, ${checked}},\n")
        if(VKSORT_SPIRV_DIR)
            if(NOT EXISTS ${spirv} OR NOT EXISTS ${header})
                message(FATAL_ERROR "VKSORT_SPIRV_DIR=${VKSORT_SPIRV_DIR} has no ${name}.spv with ${name}.h. Let it name the "
                    "folder spirv in the tree of a finished build of these sources, or leave it empty.")
            endif()
            continue()
        endif()

        set(source ${source_dir}/${kernel_${name}_FILE})
        set(defines "${kernel_${name}_DEFINES}")
        list(TRANSFORM defines PREPEND -D)

        set(validate)
        if(VKSORT_VALIDATE_SPIRV AND VKSORT_SPIRV_VAL)
            set(validate COMMAND ${VKSORT_SPIRV_VAL} --target-env vulkan1.2 ${spirv})
        endif()
        set(optimize)
        if(kernel_${name}_OPTIMIZE AND VKSORT_SPIRV_OPT)
            set(optimize COMMAND ${VKSORT_SPIRV_OPT} -O ${spirv} -o ${spirv})
        endif()
        add_custom_command(
            OUTPUT ${spirv} ${header}
            COMMAND ${VKSORT_GLSLANG} ${flags} ${defines} --depfile ${spirv}.d -o ${spirv} ${source}
            ${optimize}
            ${validate}
            COMMAND ${CMAKE_COMMAND} -DMODULE=${spirv} -DNAME=kCode_${name} -DHEADER=${header} -P ${embed_script}
            DEPENDS ${source} ${embed_script} ${read_script}
            DEPFILE ${spirv}.d
            COMMENT "Compiling kernel ${name}"
            VERBATIM)
    endforeach()

    # Written only when the contents change, so that a new configure run rebuilds nothing.
    file(CONFIGURE OUTPUT ${generated_dir}/shader_ids.h @ONLY CONTENT
"// Generated from shaders/variants.txt.
#pragma once

#include <cstdint>

namespace vksort {

enum Module : uint32_t {
@ids@    kModuleCount
};

} // namespace vksort
")
    file(CONFIGURE OUTPUT ${generated_dir}/shader_table.cpp @ONLY CONTENT
"// Generated from shaders/variants.txt.
#include \"shader_table.h\"

#include \"shader_ids.h\"

namespace vksort {

namespace {

@includes@
} // namespace

const ShaderModule kShaderModules[] = {
@rows@};
const uint32_t kShaderModuleCount = kModuleCount;

} // namespace vksort
")
    target_sources(${target} PRIVATE ${headers} ${generated_dir}/shader_table.cpp)
    target_include_directories(${target} PRIVATE ${output_dir} ${generated_dir})
    set_property(GLOBAL APPEND PROPERTY VKSORT_SPIRV_FILES ${spirv_files})
endfunction()
