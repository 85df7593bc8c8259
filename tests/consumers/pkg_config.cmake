# SPDX-License-Identifier: MIT
#
# Compiles and runs a program in C with the flags that the installed vksort.pc gives, after the installation was moved, and
# compares OPERATIONS, KEY_WIDTHS and VALUES with what it says that there are kernels for.
cmake_minimum_required(VERSION 3.22)

set(moved ${PREFIX}_moved)
file(REMOVE_RECURSE ${moved})
file(COPY ${PREFIX}/ DESTINATION ${moved})
set(ENV{PKG_CONFIG_PATH} ${moved}/${LIBDIR}/pkgconfig)
execute_process(COMMAND ${PKG_CONFIG} --static --cflags --libs vksort OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
if(NOT flags MATCHES "${moved}")
    message(FATAL_ERROR "vksort.pc does not find what lies beside it: ${flags}")
endif()
foreach(variable IN ITEMS operations key_widths values)
    execute_process(COMMAND ${PKG_CONFIG} --variable=${variable} vksort OUTPUT_VARIABLE has OUTPUT_STRIP_TRAILING_WHITESPACE
        COMMAND_ERROR_IS_FATAL ANY)
    string(TOUPPER ${variable} expected)
    if(NOT has STREQUAL "${${expected}}")
        message(FATAL_ERROR "vksort.pc has ${variable} '${has}' instead of '${${expected}}'")
    endif()
endforeach()
separate_arguments(flags UNIX_COMMAND "${FLAGS} ${MAIN} ${flags}")
execute_process(COMMAND ${COMPILER} -o ${PROGRAM} ${flags} COMMAND_ERROR_IS_FATAL ANY COMMAND_ECHO STDOUT)
execute_process(COMMAND ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
