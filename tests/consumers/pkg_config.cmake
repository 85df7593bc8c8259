# SPDX-License-Identifier: MIT
#
# Compiles and runs a program in C with the flags that the installed vksort.pc gives, after the installation was moved.
cmake_minimum_required(VERSION 3.22)

set(moved ${PREFIX}_moved)
file(REMOVE_RECURSE ${moved})
file(COPY ${PREFIX}/ DESTINATION ${moved})
set(ENV{PKG_CONFIG_PATH} ${moved}/${LIBDIR}/pkgconfig)
execute_process(COMMAND ${PKG_CONFIG} --static --cflags --libs vksort OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
if(NOT flags MATCHES "${moved}")
    message(FATAL_ERROR "vksort.pc does not find what lies beside it: ${flags}")
endif()
separate_arguments(flags UNIX_COMMAND "${FLAGS} ${MAIN} ${flags}")
execute_process(COMMAND ${COMPILER} -o ${PROGRAM} ${flags} COMMAND_ERROR_IS_FATAL ANY COMMAND_ECHO STDOUT)
execute_process(COMMAND ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
