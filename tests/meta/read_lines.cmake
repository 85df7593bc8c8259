# SPDX-License-Identifier: MIT
#
# vksort_split_lines(<text> <result>): the lines of a text, as a list. Characters that mean something in lists are
# underscores. vksort_read_lines(<file> <result>): the same of a file.
function(vksort_split_lines text result)
    string(REGEX REPLACE "[][;\\]" "_" text "${text}")
    string(REGEX REPLACE "\n$" "" text "${text}")
    string(REPLACE "\n" ";" lines "${text}")
    set(${result} "${lines}" PARENT_SCOPE)
endfunction()

function(vksort_read_lines file result)
    file(READ ${file} text)
    vksort_split_lines("${text}" lines)
    set(${result} "${lines}" PARENT_SCOPE)
endfunction()
