# SPDX-License-Identifier: MIT
#
# Writes OUTPUT, a header with the commit of SOURCE, where that has changed. Run at every build.
cmake_minimum_required(VERSION 3.22)

execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --match=NoTag
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR commit STREQUAL "")
    set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"// Generated.
#pragma once
inline constexpr const char* kBuildCommit = \"@commit@\";
")
