# SPDX-License-Identifier: MIT
#
# The devices that every GPU test runs on. The tests are built with all of their drivers or not at all: a test that does not
# run must not look like one that passed.
#
#   lavapipe-2 ... lavapipe-16   Mesa's CPU driver with subgroups of 2, 4, 8 and 16 (by the width of its vectors)
#   swiftshader                  the CPU driver that Chromium ships, with another compiler
#   system                       whatever the Vulkan loader finds, for a machine's own GPU

# No device chooses subgroups of two, so lavapipe-2 is for the full level.
set(default_devices lavapipe-4 lavapipe-8 lavapipe-16 swiftshader)
if("$ENV{VKSORT_TEST_LEVEL}" STREQUAL "full")
    list(PREPEND default_devices lavapipe-2)
endif()
set(VKSORT_TEST_DEVICES "${default_devices}" CACHE STRING
    "Devices to test on: lavapipe-2, -4, -8, -16, swiftshader, system")

set(icd_folders /usr/share/vulkan/icd.d /usr/local/share/vulkan/icd.d /etc/vulkan/icd.d)
find_file(VKSORT_LAVAPIPE_ICD NAMES lvp_icd.${CMAKE_SYSTEM_PROCESSOR}.json lvp_icd.json PATHS ${icd_folders}
    NO_DEFAULT_PATH)
find_file(VKSORT_RADV_ICD NAMES radeon_icd.${CMAKE_SYSTEM_PROCESSOR}.json radeon_icd.json PATHS ${icd_folders}
    NO_DEFAULT_PATH)
find_file(VKSORT_SWIFTSHADER_ICD NAMES vk_swiftshader_icd.json PATHS /usr/lib/chromium /usr/lib64/chromium-browser
    /opt/google/chrome ${icd_folders} NO_DEFAULT_PATH)
find_file(VKSORT_VALIDATION_LAYER NAMES VkLayer_khronos_validation.json PATHS /usr/share/vulkan/explicit_layer.d
    /usr/local/share/vulkan/explicit_layer.d /etc/vulkan/explicit_layer.d NO_DEFAULT_PATH)
mark_as_advanced(VKSORT_LAVAPIPE_ICD VKSORT_RADV_ICD VKSORT_SWIFTSHADER_ICD VKSORT_VALIDATION_LAYER)

# For vksort_part: what the tests need to run.
set(vksort_device_needs
    VKSORT_VALIDATION_LAYER "the Vulkan validation layer (vulkan-validationlayers)"
    VKSORT_RADV_ICD "Mesa's driver for AMD, whose compiler is tested (mesa-vulkan-drivers)")
foreach(device IN LISTS VKSORT_TEST_DEVICES)
    if(device MATCHES "^lavapipe-(2|4|8|16)$")
        list(APPEND vksort_device_needs VKSORT_LAVAPIPE_ICD "Mesa's lavapipe driver (mesa-vulkan-drivers)")
    elseif(device STREQUAL "swiftshader")
        list(APPEND vksort_device_needs
            VKSORT_SWIFTSHADER_ICD "the SwiftShader driver (chromium, or VKSORT_TEST_DEVICES without it)")
    elseif(NOT device STREQUAL "system")
        message(FATAL_ERROR "VKSORT_TEST_DEVICES knows no device ${device}.")
    endif()
endforeach()

# vksort_on_device(<device> <test>...): environment, label and limits of tests that were added.
function(vksort_on_device device)
    set(environment)
    if(device MATCHES "^lavapipe-([0-9]+)$")
        # The vector has 32-bit lanes. Two threads: two tests may run beside each other on a small machine.
        # A folder of its own for compiled kernels: Mesa 22.3 finds them again by their code alone, and would run those of
        # another width. It has to be there, or Mesa keeps nothing.
        math(EXPR width "32 * ${CMAKE_MATCH_1}")
        set(kernels ${PROJECT_BINARY_DIR}/tests/kernels/${device})
        file(MAKE_DIRECTORY ${kernels})
        set(environment VK_ICD_FILENAMES=${VKSORT_LAVAPIPE_ICD} VK_DRIVER_FILES=${VKSORT_LAVAPIPE_ICD}
            LP_NATIVE_VECTOR_WIDTH=${width} LP_NUM_THREADS=2
            MESA_SHADER_CACHE_DIR=${kernels})
    elseif(device STREQUAL "swiftshader")
        set(environment VK_ICD_FILENAMES=${VKSORT_SWIFTSHADER_ICD} VK_DRIVER_FILES=${VKSORT_SWIFTSHADER_ICD})
    endif()
    set_tests_properties(${ARGN} PROPERTIES ENVIRONMENT "${environment}" LABELS "gpu;${device}" TIMEOUT 2400)
    # The longest begin first, so that at the end none runs alone: SwiftShader's, and those of the device that runs every
    # test. GPU tests of one device would compile the same kernels beside each other.
    foreach(test IN LISTS ARGN)
        if(test MATCHES "^(swiftshader[.]gpu$|lavapipe-8[.]gpu)")
            set_tests_properties(${test} PROPERTIES COST 200)
        elseif(test MATCHES "[.]gpu$")
            set_tests_properties(${test} PROPERTIES COST 100)
        else()
            set_tests_properties(${test} PROPERTIES COST 50)
        endif()
        if(test MATCHES "^lavapipe.*[.](gpu|api)")
            set_tests_properties(${test} PROPERTIES RESOURCE_LOCK ${device})
        endif()
    endforeach()
endfunction()
