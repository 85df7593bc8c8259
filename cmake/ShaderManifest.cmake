# SPDX-License-Identifier: MIT
#
# vksort_read_manifest(<file> <prefix>)
#
# Reads a list of kernels, lines of the form
#     name = file [DEFINE=VALUE ...] [OPTIMIZE] [CHECKED] [: operation ... [32|64] [none|some]]
# where '#' begins a comment. Sets <prefix>_NAMES and, for each name, <prefix>_<name>_FILE, <prefix>_<name>_DEFINES (a list
# of DEFINE=VALUE), <prefix>_<name>_OPTIMIZE and <prefix>_<name>_CHECKED (booleans), and the lists
# <prefix>_<name>_OPERATIONS, <prefix>_<name>_KEY_WIDTHS and <prefix>_<name>_VALUES of what the kernel is for. Kernels with
# _k1 in their names are for keys of up to 32 bits, those with _k2 for keys of 64 bits, and others for both, unless the line
# says for which. A line with neither none nor some is for plans without and with values.

function(vksort_read_manifest manifest prefix)
    set(names)
    file(STRINGS ${manifest} lines)
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "#.*" "" line "${line}")
        string(STRIP "${line}" line)
        if(line STREQUAL "")
            continue()
        endif()
        if(NOT line MATCHES "^([a-z][a-z0-9_]*) *= *([^ ]+)([^:]*)(:([a-z_0-9 ]*))?$")
            message(FATAL_ERROR
                "${manifest}: not `name = file [DEFINE=VALUE ...] [OPTIMIZE] [CHECKED] [: operation ... [32|64] [none|some]]`: ${line}")
        endif()
        set(name ${CMAKE_MATCH_1})
        set(file ${CMAKE_MATCH_2})
        separate_arguments(operations UNIX_COMMAND "${CMAKE_MATCH_5}")
        separate_arguments(defines UNIX_COMMAND "${CMAKE_MATCH_3}")
        foreach(option OPTIMIZE CHECKED)
            set(${prefix}_${name}_${option} FALSE PARENT_SCOPE)
            if(option IN_LIST defines)
                set(${prefix}_${name}_${option} TRUE PARENT_SCOPE)
                list(REMOVE_ITEM defines ${option})
            endif()
        endforeach()
        if(name IN_LIST names)
            message(FATAL_ERROR "${manifest}: ${name} is listed twice")
        endif()
        list(APPEND names ${name})
        set(${prefix}_${name}_FILE ${file} PARENT_SCOPE)
        set(${prefix}_${name}_DEFINES "${defines}" PARENT_SCOPE)
        set(values "${operations}")
        list(FILTER values INCLUDE REGEX "^(none|some)$")
        list(FILTER operations EXCLUDE REGEX "^(none|some)$")
        if(values STREQUAL "")
            set(values none some)
        endif()
        if(name MATCHES "_k([12])(_|$)")
            math(EXPR key_widths "32 * ${CMAKE_MATCH_1}")
        else()
            set(key_widths "${operations}")
            list(FILTER key_widths INCLUDE REGEX "^(32|64)$")
            list(FILTER operations EXCLUDE REGEX "^(32|64)$")
        endif()
        if(key_widths STREQUAL "")
            set(key_widths 32 64)
        endif()
        set(${prefix}_${name}_OPERATIONS "${operations}" PARENT_SCOPE)
        set(${prefix}_${name}_KEY_WIDTHS "${key_widths}" PARENT_SCOPE)
        set(${prefix}_${name}_VALUES "${values}" PARENT_SCOPE)
    endforeach()
    set(${prefix}_NAMES ${names} PARENT_SCOPE)
endfunction()
