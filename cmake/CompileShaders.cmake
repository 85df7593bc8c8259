# SPDX-License-Identifier: MIT
#
# vksort_embed_shaders(<target> MANIFEST <file>)
#
# Compiles the kernels that the manifest lists, into the build tree, and adds them to the target as a table
# (src/shader_table.h) and a header of their numbers (shader_ids.h). A line of the manifest is
#     name = file [DEFINE=VALUE ...] [OPTIMIZE] [CHECKED] : operation ...
# with the file beside the manifest (ShaderManifest.cmake). Kernels that VKSORT_OPERATIONS, VKSORT_KEY_WIDTHS and
# VKSORT_VALUES leave out (KernelSet.cmake) keep their numbers and their rows, which have no code then. Includes are tracked,
# so that editing one rebuilds the kernels that use it and no other. OPTIMIZE asks for spirv-opt, for kernels that a driver
# was seen to compile better after it; without the tool they are as glslang makes them. CHECKED becomes
# ShaderModule::checked. The global property VKSORT_SPIRV_FILES lists the .spv files that are built, each named after its
# module. shader_marks.h has what each kernel is for, for tests.
#
# Compiled kernels are the same for every host. So that a second build, such as a cross build, need not compile them again,
# VKSORT_SPIRV_DIR can name the folder spirv/ in the build tree of a first one; glslang is not needed then. The first one may
# have more kernels, and either may compress them.

include(${CMAKE_CURRENT_LIST_DIR}/KernelSet.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ShaderManifest.cmake)

find_program(VKSORT_GLSLANG NAMES glslangValidator glslang)
find_program(VKSORT_SPIRV_VAL NAMES spirv-val)
find_program(VKSORT_SPIRV_OPT NAMES spirv-opt)
set(VKSORT_SPIRV_DIR "" CACHE PATH "Folder of kernels that another build of these sources compiled; empty: compile them")
mark_as_advanced(VKSORT_GLSLANG VKSORT_SPIRV_VAL VKSORT_SPIRV_OPT VKSORT_SPIRV_DIR)

# Whether any of the words is in the list.
function(vksort_have_common list words result)
    set(${result} FALSE PARENT_SCOPE)
    foreach(word IN LISTS ${words})
        if(word IN_LIST ${list})
            set(${result} TRUE PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# Writes operations as bits of a C++ expression.
function(vksort_operation_bits operations result)
    list(TRANSFORM ${operations} TOUPPER OUTPUT_VARIABLE bits)
    list(TRANSFORM bits REPLACE "(.+)" "1u << VKSORT_OPERATION_\\1")
    list(JOIN bits " | " bits)
    set(${result} "${bits}" PARENT_SCOPE)
endfunction()

# Writes a list of none and some so, too.
function(vksort_value_bits values result)
    string(REPLACE "none" "kNoValues" bits "${${values}}")
    string(REPLACE "some" "kSomeValues" bits "${bits}")
    list(JOIN bits " | " bits)
    set(${result} "${bits}" PARENT_SCOPE)
endfunction()

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
    set(compress_script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/EmbedCompressed.cmake)
    set(output_dir ${CMAKE_CURRENT_BINARY_DIR}/spirv)
    set(generated_dir ${CMAKE_CURRENT_BINARY_DIR}/generated)
    set(compressed_dir ${CMAKE_CURRENT_BINARY_DIR}/compressed)
    file(MAKE_DIRECTORY ${output_dir} ${generated_dir})
    get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    if(multi_config AND NOT CMAKE_GENERATOR STREQUAL "Xcode") # whose targets have the same sources in every configuration
        list(TRANSFORM CMAKE_CONFIGURATION_TYPES PREPEND ${output_dir}/ OUTPUT_VARIABLE config_dirs)
        file(MAKE_DIRECTORY ${config_dirs})
        string(APPEND output_dir /$<CONFIG>)
        string(APPEND compressed_dir /$<CONFIG>)
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
    set(marks)
    list(JOIN vksort_known_operations "|" operation_pattern)
    vksort_read_manifest(${arg_MANIFEST} kernel)
    foreach(name IN LISTS kernel_NAMES)
        set(spirv ${output_dir}/${name}.spv)
        set(header ${output_dir}/${name}.h)
        string(APPEND ids "    kModule_${name},\n")
        string(TOLOWER ${kernel_${name}_CHECKED} checked)
        set(unknown "${kernel_${name}_OPERATIONS}")
        list(FILTER unknown EXCLUDE REGEX "^(${operation_pattern})$")
        if(unknown OR kernel_${name}_OPERATIONS STREQUAL "")
            message(FATAL_ERROR "${arg_MANIFEST}: ${name} is for no operation, or for an unknown one: ${unknown}")
        endif()
        vksort_operation_bits(kernel_${name}_OPERATIONS operations)
        list(JOIN kernel_${name}_KEY_WIDTHS " | " key_widths)
        vksort_value_bits(kernel_${name}_VALUES values)
        string(APPEND marks "    {${operations}, ${key_widths}, ${values}},\n")
        vksort_have_common(VKSORT_OPERATIONS kernel_${name}_OPERATIONS has_operation)
        vksort_have_common(VKSORT_KEY_WIDTHS kernel_${name}_KEY_WIDTHS has_key_width)
        vksort_have_common(VKSORT_VALUES kernel_${name}_VALUES has_values)
        if(NOT has_operation OR NOT has_key_width OR NOT has_values)
            string(APPEND rows "    {\"${name}\", nullptr, 0, ${checked}},\n")
            continue()
        endif()
        list(APPEND spirv_files ${spirv})
        string(APPEND includes "#include \"${name}.h\"\n")
        if(VKSORT_COMPRESS_KERNELS)
            set(compressed ${compressed_dir}/${name}.h)
            list(APPEND headers ${compressed})
            string(APPEND rows
                "    {\"${name}\", nullptr, kCode_${name}_words, ${checked}, kCode_${name}, sizeof kCode_${name}},\n")
            add_custom_command(
                OUTPUT ${compressed}
                COMMAND ${CMAKE_COMMAND} -DMODULE=${spirv} -DNAME=kCode_${name} -DHEADER=${compressed} -P ${compress_script}
                DEPENDS ${spirv} ${compress_script} ${read_script}
                COMMENT "Compressing kernel ${name}"
                VERBATIM)
        else()
            list(APPEND headers ${header})
            string(APPEND rows
                "    {\"${name}\", kCode_${name}, sizeof kCode_${name} / sizeof *kCode_${name}, ${checked}},\n")
        endif()
        if(VKSORT_SPIRV_DIR)
            if(NOT EXISTS ${spirv} OR NOT (VKSORT_COMPRESS_KERNELS OR EXISTS ${header}))
                message(FATAL_ERROR "VKSORT_SPIRV_DIR=${VKSORT_SPIRV_DIR} has no ${name}.spv with ${name}.h. Let it name the "
                    "folder spirv in the tree of a finished build of these sources, with the operations, key widths and values "
                    "of this one, or leave it empty.")
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
    file(CONFIGURE OUTPUT ${generated_dir}/shader_marks.h @ONLY CONTENT
"// Generated from shaders/variants.txt: what each module is for.
#pragma once

#include \"shader_table.h\"

namespace vksort {

inline constexpr KernelSet kModuleMarks[] = {
@marks@};

} // namespace vksort
")
    vksort_operation_bits(VKSORT_OPERATIONS operations)
    list(JOIN VKSORT_KEY_WIDTHS " | " key_widths)
    vksort_value_bits(VKSORT_VALUES values)
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

const KernelSet kBuiltKernels = {@operations@, @key_widths@, @values@};

} // namespace vksort
")
    target_sources(${target} PRIVATE ${headers} ${generated_dir}/shader_table.cpp)
    # Builds the kernels alone. Only tools/amalgamate needs this target.
    add_custom_target(${target}_kernels DEPENDS ${headers})
    if(VKSORT_COMPRESS_KERNELS)
        set(output_dir ${compressed_dir})
    endif()
    target_include_directories(${target} PRIVATE ${output_dir} ${generated_dir})
    set_property(GLOBAL APPEND PROPERTY VKSORT_SPIRV_FILES ${spirv_files})
endfunction()
