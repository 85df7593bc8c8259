# SPDX-License-Identifier: MIT
#
# Packages by cpack: a .tar.gz of all installed files, and Debian packages of the components of Install.cmake,
#
#   libvksort0.1    the shared library, named after its SOVERSION
#   libvksort-dev   headers, the CMake package, vksort.pc, kernels' sources, documents
#   vksort          the tool
#
# packaging/deb.sh makes the build that Debian packages need: a shared library and the tool, with the prefix /usr.

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME vksort)
set(CPACK_PACKAGE_FILE_NAME vksort-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_VENDOR "the vksort authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # It would precede the descriptions of components.
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# ---- Debian

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL vksort_development)
if(BUILD_SHARED_LIBS)
    list(APPEND CPACK_COMPONENTS_ALL vksort_library)
endif()
if(TARGET vksort_cli)
    list(APPEND CPACK_COMPONENTS_ALL vksort_tools)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(description
"vksort sorts buffers of keys, with or without values, on any GPU with a Vulkan
1.2 driver. It also merges sorted buffers and sorts the segments of a buffer.
Applications record its commands into their own command buffers.")

# vksort_debian_package(<component> <package> <section> <summary>): sets the name, section and description of a package, and
# installs the copyright and the changelog, which every package has.
macro(vksort_debian_package component package section summary)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
    set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${description}")
    set(doc_dir ${CMAKE_INSTALL_DATADIR}/doc/${package})
    install(FILES ${PROJECT_SOURCE_DIR}/packaging/debian/copyright DESTINATION ${doc_dir}
        COMPONENT ${component} EXCLUDE_FROM_ALL)
    if(VKSORT_DEBIAN_CHANGELOG)
        install(FILES ${VKSORT_DEBIAN_CHANGELOG} DESTINATION ${doc_dir} RENAME changelog.gz
            COMPONENT ${component} EXCLUDE_FROM_ALL)
    endif()
endmacro()

vksort_debian_package(vksort_library libvksort${soversion} libs "sorting on GPUs with Vulkan - shared library")
set(CPACK_DEBIAN_VKSORT_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_VKSORT_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")

vksort_debian_package(vksort_development libvksort-dev libdevel "sorting on GPUs with Vulkan - development files")
set(CPACK_DEBIAN_VKSORT_DEVELOPMENT_PACKAGE_DEPENDS "libvulkan-dev")
if(BUILD_SHARED_LIBS)
    set(CPACK_DEBIAN_VKSORT_DEVELOPMENT_PACKAGE_DEPENDS
        "libvksort${soversion} (= ${PROJECT_VERSION}), libvulkan-dev")
endif()
set(CPACK_DEBIAN_VKSORT_DEVELOPMENT_PACKAGE_RECOMMENDS "glslang-tools") # vksort_add_comparator
set(CPACK_DEBIAN_VKSORT_DEVELOPMENT_PACKAGE_SUGGESTS "glslang-dev, spirv-tools") # vksort::compiler

vksort_debian_package(vksort_tools vksort utils "sorting on GPUs with Vulkan - command-line tool")
set(CPACK_DEBIAN_VKSORT_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_VKSORT_TOOLS_PACKAGE_DEPENDS "libvulkan1") # The tool loads it at run time.
set(CPACK_DEBIAN_VKSORT_TOOLS_PACKAGE_RECOMMENDS "mesa-vulkan-drivers | vulkan-icd")
if(BUILD_SHARED_LIBS)
    # dpkg-shlibdeps finds no package for a library that is only built, not installed.
    set(CPACK_DEBIAN_VKSORT_TOOLS_PACKAGE_DEPENDS "libvksort${soversion} (>= ${PROJECT_VERSION}), libvulkan1")
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
endif()

include(CPack)
