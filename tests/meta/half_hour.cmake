# SPDX-License-Identifier: MIT
#
# cmake -DSOURCE= -P half_hour.cmake
#
# Checks that the patch of docs/first_half_hour.md applies to examples/minimal.c: the program has the lines that each hunk
# keeps or removes, one after another.
cmake_minimum_required(VERSION 3.22)

file(READ ${SOURCE}/docs/first_half_hour.md page)
file(READ ${SOURCE}/examples/minimal.c program)
string(FIND "${page}" "\npatch app/main.c <<'END'\n" begin)
if(begin EQUAL -1)
    message(FATAL_ERROR "docs/first_half_hour.md has no line: patch app/main.c <<'END'")
endif()
string(SUBSTRING "${page}" ${begin} -1 rest)
string(FIND "${rest}" "\nEND\n" end)
string(SUBSTRING "${rest}" 0 ${end} rest)

set(hunks 0)
while(TRUE)
    string(FIND "${rest}" "\n@@ " begin)
    if(begin EQUAL -1)
        break()
    endif()
    math(EXPR begin "${begin} + 1")
    string(SUBSTRING "${rest}" ${begin} -1 rest)
    string(FIND "${rest}\n@@ " "\n@@ " end)
    string(SUBSTRING "${rest}" 0 ${end} hunk)
    string(SUBSTRING "${rest}" ${end} -1 rest)
    string(REGEX REPLACE "^@@[^\n]*" "" old "${hunk}")
    string(REGEX REPLACE "\n[+][^\n]*" "" old "${old}")
    string(REGEX REPLACE "\n[ -]" "\n" old "${old}")
    string(FIND "${program}" "${old}\n" place)
    if(place EQUAL -1)
        message(FATAL_ERROR "examples/minimal.c does not have these lines of docs/first_half_hour.md:${old}")
    endif()
    math(EXPR hunks "${hunks} + 1")
endwhile()
if(hunks LESS 5)
    message(FATAL_ERROR "The change has ${hunks} hunks only.")
endif()
message(STATUS "${hunks} hunks")
