# SPDX-License-Identifier: MIT
#
# vksort_read_manifest(<file> <prefix>)
#
# Reads a list of kernels, lines of the form `name = file [DEFINE=VALUE ...] [OPTIMIZE] [CHECKED]` where '#' begins a comment. Sets
# <prefix>_NAMES and, for each name, <prefix>_<name>_FILE, <prefix>_<name>_DEFINES (a list of DEFINE=VALUE) and
# <prefix>_<name>_OPTIMIZE and <prefix>_<name>_CHECKED (booleans).

function(vksort_read_manifest manifest prefix)
    set(names)
    file(STRINGS ${manifest} lines)
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "#.*" "" line "${line}")
        string(STRIP "${line}" line)
        if(line STREQUAL "")
            continue()
        endif()
        if(NOT line MATCHES "^([a-z][a-z0-9_]*) *= *([^ ]+)(.*)$")
            message(FATAL_ERROR "${manifest}: not `name = file [DEFINE=VALUE ...] [OPTIMIZE] [CHECKED]`: ${line}")
        endif()
        set(name ${CMAKE_MATCH_1})
        set(file ${CMAKE_MATCH_2})
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
    endforeach()
    set(${prefix}_NAMES ${names} PARENT_SCOPE)
endfunction()
