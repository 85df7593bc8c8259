# SPDX-License-Identifier: MIT
#
# No file under shaders/ has more than 300 lines, no function there more than 80 (from the line at the left margin where its
# declaration begins to the brace alone there that closes it), and no line of code more than 125 columns, as .clang-format
# has it for C++.
cmake_minimum_required(VERSION 3.22)

include(${CMAKE_CURRENT_LIST_DIR}/read_lines.cmake)

set(most_of_file 300)
set(most_of_function 80)
set(most_of_line 125)

set(too_long)
set(functions 0)
file(GLOB_RECURSE files ${SOURCE}/shaders/*)
foreach(file IN LISTS files)
    file(RELATIVE_PATH name ${SOURCE} ${file})
    vksort_read_lines(${file} lines)
    list(LENGTH lines length)
    if(length GREATER most_of_file)
        list(APPEND too_long "${name}: ${length} lines")
    endif()
    set(number 0)
    set(begin 0)
    foreach(line IN LISTS lines)
        math(EXPR number "${number} + 1")
        string(LENGTH "${line}" length)
        if(length GREATER most_of_line AND NOT name MATCHES "\\.txt$")
            list(APPEND too_long "${name}:${number}: ${length} columns")
        endif()
        if(line MATCHES "^[A-Za-z].*[({,]( *//.*)?$") # of a function, or of a struct or the like, whose closing brace has a semicolon
            set(begin ${number})
            set(declaration "${line}")
        elseif(line STREQUAL "}" AND begin GREATER 0)
            math(EXPR length "${number} - ${begin} + 1")
            math(EXPR functions "${functions} + 1")
            if(length GREATER most_of_function)
                list(APPEND too_long "${name}:${begin}: ${length} lines: ${declaration}")
            endif()
            set(begin 0)
        endif()
    endforeach()
endforeach()
if(functions LESS 100) # so that what no longer finds functions does not pass
    message(FATAL_ERROR "only ${functions} functions found")
endif()
if(too_long)
    list(JOIN too_long "\n" too_long)
    message(FATAL_ERROR
        "more than ${most_of_file} lines of a file, ${most_of_function} of a function or ${most_of_line} columns:\n${too_long}")
endif()
list(LENGTH files count)
message(STATUS "${count} files, ${functions} functions")
