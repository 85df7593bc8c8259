# SPDX-License-Identifier: MIT
#
# cmake -DPROGRAM=<splats> -DFOLDER= -P bad_files.cmake
#
# Checks that invalid files of splats, and files without a visible splat, are refused, each with a sentence that says why.
cmake_minimum_required(VERSION 3.22)

set(positions "property float x\nproperty float y\nproperty float z\n")
set(rest)
foreach(name IN ITEMS f_dc_0 f_dc_1 f_dc_2 opacity scale_0 scale_1 scale_2 rot_0 rot_1 rot_2 rot_3)
    string(APPEND rest "property float ${name}\n")
endforeach()
set(begin "ply\nformat binary_little_endian 1.0\n")
string(ASCII 255 byte)
string(REPEAT "${byte}" 56 not_numbers) # each float is a NaN
string(REPEAT "a" 56 numbers)

function(expect text content)
    set(file ${FOLDER}/bad.ply)
    file(WRITE ${file} "${content}")
    execute_process(COMMAND ${PROGRAM} --ply ${file} --output ${FOLDER}/bad.png
        RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors TIMEOUT 20)
    string(FIND "${errors}" "${text}" position)
    if(NOT status EQUAL 1 OR position EQUAL -1)
        message(FATAL_ERROR "expected status 1 and '${text}', got status ${status} and:\n${output}${errors}")
    endif()
endfunction()

file(MAKE_DIRECTORY ${FOLDER})
expect("bad.ply is empty." "")
expect("its first line is not 'ply'" "PNG\n")
expect("has no line end_header" "ply\nformat ascii 1.0\n")
expect("has the format 'ascii'; only binary_little_endian is read" "ply\nformat ascii 1.0\nelement vertex 1\nend_header\n")
expect("has a wrong line 'element vertex -1'" "${begin}element vertex -1\n${positions}${rest}end_header\n")
expect("has a wrong line 'element vertex'" "${begin}element vertex\nend_header\n")
expect("has a property of a vertex that is no number" "${begin}element vertex 1\nproperty list uchar int x\nend_header\n")
expect("has the element 'face' before its vertices" "${begin}element face 1\nend_header\n")
expect("has the property x as double instead of float" "${begin}element vertex 1\nproperty double x\nend_header\n")
expect("is no file of splats: its vertices have no property f_dc_0" "${begin}element vertex 1\n${positions}end_header\n")
expect("has no splats" "${begin}element vertex 0\n${positions}${rest}end_header\n")
expect("ends after 1 of 2 splats" "${begin}element vertex 2\n${positions}${rest}end_header\n${numbers}aaa")
expect("x of splat 0 is not a finite number" "${begin}element vertex 1\n${positions}${rest}end_header\n${not_numbers}")
expect("No splat is in view" "${begin}element vertex 1\n${positions}${rest}end_header\n${numbers}")
execute_process(COMMAND ${PROGRAM} --ply ${FOLDER}/none.ply RESULT_VARIABLE status ERROR_VARIABLE errors TIMEOUT 20)
if(NOT status EQUAL 1 OR NOT errors MATCHES "cannot open .*none.ply")
    message(FATAL_ERROR "a file that is not there: status ${status} and:\n${errors}")
endif()
