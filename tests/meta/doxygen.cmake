# SPDX-License-Identifier: MIT
#
# cmake -DPROGRAM=doxygen -DSOURCE= -DOUTPUT= -P doxygen.cmake
#
# Every declaration of the public headers has a comment that Doxygen reads without a warning, and every parameter and result
# of the C functions has one, too. Every enumerant of the C headers has a comment of at most four lines, which Doxygen 1.9.4
# does not check.
cmake_minimum_required(VERSION 3.22)

include(${CMAKE_CURRENT_LIST_DIR}/read_lines.cmake)

set(most_of_enumerant 4)

if(NOT PROGRAM)
    message(STATUS "skipped: doxygen is not installed (Debian's package doxygen)")
    return()
endif()

# Runs Doxygen over headers, with the settings of docs/Doxyfile and these.
function(run_doxygen headers strict)
    file(READ ${SOURCE}/docs/Doxyfile settings)
    string(APPEND settings "\nINPUT = ${headers}\nWARN_NO_PARAMDOC = ${strict}\nOUTPUT_DIRECTORY = \"${OUTPUT}\"\n")
    file(WRITE ${OUTPUT}/Doxyfile "${settings}")
    execute_process(COMMAND ${PROGRAM} ${OUTPUT}/Doxyfile WORKING_DIRECTORY ${SOURCE}
        OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "doxygen finds fault with comments:\n${output}${errors}")
    endif()
endfunction()

file(REMOVE_RECURSE ${OUTPUT})
file(MAKE_DIRECTORY ${OUTPUT})
run_doxygen("include/vksort" NO)
if(NOT EXISTS ${OUTPUT}/html/vksort_8h.html)
    message(FATAL_ERROR "doxygen has written no page of vksort.h")
endif()
run_doxygen("include/vksort/vksort.h include/vksort/vksort_compiler.h" YES)

set(wrong)
set(enumerants 0)
foreach(header IN ITEMS vksort.h vksort_compiler.h)
    vksort_read_lines(${SOURCE}/include/vksort/${header} lines)
    set(comment 0)
    foreach(line IN LISTS lines)
        if(line MATCHES "^    ///[^<]")
            math(EXPR comment "${comment} + 1")
        else()
            if(line MATCHES "^    (VKSORT_[A-Z0-9_]+) = ")
                set(name ${CMAKE_MATCH_1})
                math(EXPR enumerants "${enumerants} + 1")
                if(line MATCHES "///< ")
                    math(EXPR comment "${comment} + 1")
                endif()
                if(comment EQUAL 0 OR comment GREATER most_of_enumerant)
                    list(APPEND wrong "${name}: ${comment} lines")
                endif()
            endif()
            set(comment 0)
        endif()
    endforeach()
endforeach()
if(enumerants LESS 50) # so that what no longer finds enumerants does not pass
    message(FATAL_ERROR "only ${enumerants} enumerants found")
endif()
if(wrong)
    list(JOIN wrong "\n" wrong)
    message(FATAL_ERROR "enumerants whose comments have not 1 to ${most_of_enumerant} lines:\n${wrong}")
endif()
message(STATUS "${enumerants} enumerants")
