# SPDX-License-Identifier: MIT
#
# An overlay port for vcpkg, which builds the source tree that the port is in. A port of a registry would get the sources by
# vcpkg_from_github instead. docs/packages.md shows its use.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS feature_options
    FEATURES
        compiler VKSORT_BUILD_COMPILER
        compress VKSORT_COMPRESS_KERNELS
        host VKSORT_BUILD_HOST
        tools VKSORT_BUILD_TOOLS
)

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${feature_options}
        -DVKSORT_BUILD_BENCH=OFF
        -DVKSORT_BUILD_TESTS=OFF
        -DVKSORT_BUILD_EXAMPLES=OFF
        -DVKSORT_VALIDATE_SPIRV=OFF
        "-DVKSORT_GLSLANG=${CURRENT_HOST_INSTALLED_DIR}/tools/glslang/glslangValidator${VCPKG_HOST_EXECUTABLE_SUFFIX}"
        "-DVKSORT_SPIRV_OPT=${CURRENT_HOST_INSTALLED_DIR}/tools/spirv-tools/spirv-opt${VCPKG_HOST_EXECUTABLE_SUFFIX}"
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/vksort)
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()
if(VKSORT_BUILD_TOOLS)
    vcpkg_copy_tools(TOOL_NAMES vksort AUTO_CLEAN)
endif()

file(REMOVE_RECURSE
    "${CURRENT_PACKAGES_DIR}/debug/include"
    "${CURRENT_PACKAGES_DIR}/debug/share"
    "${CURRENT_PACKAGES_DIR}/share/doc"
    "${CURRENT_PACKAGES_DIR}/share/licenses"
)
file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
