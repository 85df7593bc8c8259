# SPDX-License-Identifier: MIT
#
# Defines the target Vulkan::Headers unless the project has it already. The library never links the Vulkan loader, so the
# headers are all that is looked for, which also serves cross builds. Sets vksort_headers_problem to what is wrong, or to
# nothing: a build fails by it, and a package that uses it is not found.

# Those of Ubuntu 22.04. src/vulkan_headers.h checks what the project brings.
set(vksort_least_vulkan_headers 1.3.204)
set(vksort_headers_problem)

if(NOT TARGET Vulkan::Headers)
    find_package(VulkanHeaders ${vksort_least_vulkan_headers} CONFIG QUIET)
endif()
if(NOT TARGET Vulkan::Headers)
    # The variable has the name that CMake's own FindVulkan gives it.
    find_path(Vulkan_INCLUDE_DIR vulkan/vulkan_core.h HINTS $ENV{VULKAN_SDK}/include)
    mark_as_advanced(Vulkan_INCLUDE_DIR)
    if(NOT Vulkan_INCLUDE_DIR)
        string(CONCAT vksort_headers_problem "vksort needs the Vulkan headers, ${vksort_least_vulkan_headers} or newer "
            "(Debian: libvulkan-dev). Install them, or set Vulkan_INCLUDE_DIR to the folder that holds vulkan/vulkan_core.h.")
        return()
    endif()
    file(STRINGS ${Vulkan_INCLUDE_DIR}/vulkan/vulkan_core.h vksort_header_version
        REGEX "^#define VK_HEADER_VERSION(_COMPLETE)? ")
    string(REGEX REPLACE ".*VK_HEADER_VERSION ([0-9]+).*" "\\1" vksort_header_patch "${vksort_header_version}")
    string(REGEX REPLACE ".*MAKE_API_VERSION\\(0, *([0-9]+), *([0-9]+),.*" "\\1.\\2" vksort_header_version
        "${vksort_header_version}")
    string(APPEND vksort_header_version ".${vksort_header_patch}")
    if(vksort_header_version VERSION_LESS vksort_least_vulkan_headers)
        string(CONCAT vksort_headers_problem "The Vulkan headers in ${Vulkan_INCLUDE_DIR} are of version "
            "${vksort_header_version}. vksort needs ${vksort_least_vulkan_headers} or newer.")
        return()
    endif()
    add_library(Vulkan::Headers INTERFACE IMPORTED)
    target_include_directories(Vulkan::Headers INTERFACE ${Vulkan_INCLUDE_DIR})
endif()
