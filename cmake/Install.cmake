# SPDX-License-Identifier: MIT
#
# Install rules, in the components of which Packages.cmake makes packages:
#
#   vksort_library         a shared library
#   vksort_development     headers, static libraries, files for CMake and pkg-config, documents and examples
#   vksort_tools           the tool
#   vksort_licence         the licence; Debian's packages contain it in the file `copyright` instead

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vksort)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME vksort_development)

# ---- Libraries, headers and the tool

set(parts_of_libraries RUNTIME COMPONENT vksort_library LIBRARY COMPONENT vksort_library
    NAMELINK_COMPONENT vksort_development ARCHIVE COMPONENT vksort_development)
install(TARGETS ${install_targets} EXPORT vksortTargets ${parts_of_libraries})
install(EXPORT vksortTargets NAMESPACE vksort:: DESTINATION ${package_dir})
install(FILES include/vksort/vksort.h include/vksort/vksort.hpp include/vksort/vksort_vrdx.h
    include/vksort/vksort_vrdx_implementation.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vksort)
if(TARGET vksort_host)
    install(FILES include/vksort/vksort_host.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vksort)
endif()
if(TARGET vksort_compiler)
    install(FILES include/vksort/vksort_compiler.h include/vksort/vksort_compiler.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vksort)
    # An export set of its own, since vksort::compiler depends on glslang's package.
    install(TARGETS vksort_compiler EXPORT vksortCompilerTargets)
    install(EXPORT vksortCompilerTargets NAMESPACE vksort:: DESTINATION ${package_dir})
endif()
if(TARGET vksort_cli)
    install(TARGETS vksort_cli RUNTIME COMPONENT vksort_tools)
endif()

# ---- The CMake package and vksort.pc

# The sources that vksort_add_comparator compiles.
set(shader_dir ${CMAKE_INSTALL_DATADIR}/vksort/shaders)
set(bin_dir ${CMAKE_INSTALL_BINDIR})
# A shared library links zlib itself; users of a static library have to link it.
set(vksort_links_zlib FALSE)
if(VKSORT_COMPRESS_KERNELS AND NOT BUILD_SHARED_LIBS)
    set(vksort_links_zlib TRUE)
endif()
install(DIRECTORY shaders/ DESTINATION ${shader_dir})
install(FILES cmake/AddComparator.cmake cmake/CompileComparator.cmake cmake/ReadSpirv.cmake cmake/ShaderManifest.cmake
    cmake/VulkanHeaders.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/vksortConfig.cmake.in vksortConfig.cmake INSTALL_DESTINATION ${package_dir}
    PATH_VARS shader_dir bin_dir)
write_basic_package_version_file(vksortConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/vksortConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/vksortConfigVersion.cmake
    DESTINATION ${package_dir})
include(cmake/PkgConfig.cmake)

# ---- Documents and examples, in the folders of the source tree, so that links between them stay valid

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/vksort COMPONENT vksort_licence)
if(PROJECT_IS_TOP_LEVEL) # Otherwise CMAKE_INSTALL_DOCDIR belongs to the enclosing project.
    install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
    install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        PATTERN Doxyfile EXCLUDE PATTERN CMakeLists.txt EXCLUDE)
    include(cmake/Packages.cmake)
endif()
