# SPDX-License-Identifier: MIT
#
# Asks two installations for components of the package: the one in FULL has PARTS, and the one in LEAST has none.
cmake_minimum_required(VERSION 3.22)

# configure(<prefix> <result> [<option>...])
function(configure prefix result)
    file(REMOVE_RECURSE ${BUILD})
    execute_process(
        COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/components -B ${BUILD} -G ${GENERATOR}
            -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_PREFIX_PATH=${prefix} ${ARGN}
        RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    string(REGEX REPLACE "[ \n]+" " " text "${text}")
    set(text "${text}" PARENT_SCOPE)
    set(found FALSE)
    if(status EQUAL 0)
        set(found TRUE)
    endif()
    if(NOT found STREQUAL result)
        message(FATAL_ERROR "${ARGN} in ${prefix}:\n${text}")
    endif()
endfunction()

function(expect)
    foreach(words IN LISTS ARGN)
        string(FIND "${text}" "${words}" position)
        if(position EQUAL -1)
            message(FATAL_ERROR "'${words}' is not in:\n${text}")
        endif()
    endforeach()
endfunction()

set(targets vksort::vksort ${PARTS})
list(TRANSFORM targets REPLACE "^(host|compiler)$" "vksort::\\1")
list(TRANSFORM targets REPLACE "^tools$" "vksort::tool")
list(JOIN targets "|" targets)
list(JOIN PARTS "|" parts)
configure(${FULL} TRUE -DCOMPONENTS=${parts} -DTARGETS=${targets})
configure(${LEAST} FALSE "-DCOMPONENTS=compiler|host|tools|headers")
expect("This vksort was built without vksort::compiler; build it with VKSORT_BUILD_COMPILER=ON."
    "This vksort was built without vksort::host; build it with VKSORT_BUILD_HOST=ON." "There is no program vksort in ${LEAST}"
    "vksort has no component headers; there are compiler, host and tools.")
configure(${LEAST} TRUE "-DOPTIONAL_COMPONENTS=compiler|host" -DTARGETS=vksort::vksort)
expect("compiler: FALSE" "host: FALSE")
