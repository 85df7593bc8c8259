# SPDX-License-Identifier: MIT
#
# vksort_embed_shader_texts(<target> SHADERS <folder>)
#
# Adds the texts that a comparator's kernels are made of to the target, as the tables of src/compiler/shader_texts.h. As a
# script, cmake -DSHADERS= -DFILES= -DOUTPUT= -P EmbedShaderTexts.cmake, it writes them.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/ShaderManifest.cmake)

function(vksort_embed_shader_texts target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "SHADERS" "")
    set(manifest ${arg_SHADERS}/comparator_variants.txt)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${manifest})
    vksort_read_manifest(${manifest} kernel)
    set(kernels)
    foreach(name IN LISTS kernel_NAMES)
        list(APPEND kernels ${kernel_${name}_FILE})
    endforeach()
    list(REMOVE_DUPLICATES kernels)
    file(GLOB parts CONFIGURE_DEPENDS RELATIVE ${arg_SHADERS} ${arg_SHADERS}/*.glsl ${arg_SHADERS}/*/*.glsl
        ${arg_SHADERS}/*/*.h)
    set(files comparator_refused.txt ${kernels} ${parts})
    set(paths ${files})
    list(TRANSFORM paths PREPEND ${arg_SHADERS}/)
    list(JOIN files "|" files)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/generated/shader_texts.cpp)
    set(script ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DSHADERS=${arg_SHADERS} -DFILES=${files} -DOUTPUT=${output} -P ${script}
        DEPENDS ${paths} ${manifest} ${script} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ShaderManifest.cmake
        COMMENT "Embedding the texts of the kernels"
        VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    return()
endif()

string(REPLACE "|" ";" files "${FILES}")
set(texts "")
foreach(file IN LISTS files)
    file(READ ${SHADERS}/${file} text)
    string(APPEND texts "    {\"${file}\", R\"glsl(${text})glsl\"},\n")
endforeach()
set(kernels "")
vksort_read_manifest(${SHADERS}/comparator_variants.txt kernel)
foreach(name IN LISTS kernel_NAMES)
    set(defines "#define COMPARATOR\\n")
    foreach(define IN LISTS kernel_${name}_DEFINES)
        string(REPLACE "=" " " define "${define}")
        string(APPEND defines "#define ${define}\\n")
    endforeach()
    string(APPEND kernels "    {\"${name}\", \"${kernel_${name}_FILE}\", \"${defines}\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from ${SHADERS}.
#include \"shader_texts.h\"

namespace vksort::compiler {

namespace {

constexpr ShaderText kTexts[] = {
${texts}};
constexpr KernelText kKernels[] = {
${kernels}};

} // namespace

const std::span<const ShaderText> kShaderTexts = kTexts;
const std::span<const KernelText> kKernelTexts = kKernels;

} // namespace vksort::compiler
")
