# SPDX-License-Identifier: MIT
#
# Which kernels the library has, for programs that must be small:
#
#   VKSORT_OPERATIONS         a list of sort, segmented_sort, merge and gather
#   VKSORT_KEY_WIDTHS         a list of 32 (keys of 8 to 32 bits) and 64; keys under a comparator need neither
#   VKSORT_VALUES             a list of none (plans without values) and some (plans with values of any size, or argsort);
#                             keys under a comparator need neither
#   VKSORT_COMPRESS_KERNELS   the kernels are compressed, and zlib inflates each where its pipeline is made
#
# shaders/variants.txt says what each kernel is for. A plan that needs a kernel which was left out is refused in words.

set(vksort_known_operations sort segmented_sort merge gather)
set(vksort_known_key_widths 32 64)
set(vksort_known_values none some)
set(VKSORT_OPERATIONS "${vksort_known_operations}" CACHE STRING
    "List of operations that the library has kernels for: sort, segmented_sort, merge, gather")
set(VKSORT_KEY_WIDTHS "${vksort_known_key_widths}" CACHE STRING
    "List of key widths in bits that the library has kernels for: 32 (8- to 32-bit keys), 64")
set(VKSORT_VALUES "${vksort_known_values}" CACHE STRING
    "List of plans that the library has kernels for: none (plans without values), some (with values, or argsort)")
option(VKSORT_COMPRESS_KERNELS "Compress the library's kernels, which needs zlib" OFF)

# vksort_check_words(<option> <known word>...): fails unless the option is a list of known words. Sets vksort_has_all_kernels
# to FALSE where one is missing.
set(vksort_has_all_kernels TRUE)
function(vksort_check_words option)
    list(JOIN ARGN ", " known)
    if("${${option}}" STREQUAL "")
        message(FATAL_ERROR "${option} is empty. It is a list of some of these: ${known}.")
    endif()
    foreach(word IN LISTS ${option})
        if(NOT word IN_LIST ARGN)
            message(FATAL_ERROR "${option} has the unknown word '${word}'. It is a list of some of these: ${known}.")
        endif()
    endforeach()
    foreach(word IN LISTS ARGN)
        if(NOT word IN_LIST ${option})
            set(vksort_has_all_kernels FALSE PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

vksort_check_words(VKSORT_OPERATIONS ${vksort_known_operations})
vksort_check_words(VKSORT_KEY_WIDTHS ${vksort_known_key_widths})
vksort_check_words(VKSORT_VALUES ${vksort_known_values})

if(VKSORT_COMPRESS_KERNELS AND NOT TARGET ZLIB::ZLIB)
    find_package(ZLIB QUIET)
    if(NOT ZLIB_FOUND)
        message(FATAL_ERROR "VKSORT_COMPRESS_KERNELS needs zlib (Debian: zlib1g-dev). Install it, or set ZLIB_ROOT to where it is.")
    endif()
endif()
