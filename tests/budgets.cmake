# SPDX-License-Identifier: MIT
#
# What the tests of a device cost and leave out below the full level: the different pipelines that a process may make at
# most, and how many tests it skips. CPU drivers spend nearly all of their time on compiling kernels. Whoever makes a test
# skip, or needs more pipelines, says so here. On lavapipe-8 every kernel of the library is used.
set(budgets
    # test, pipelines, skipped tests
    lavapipe-4.gpu 90 0
    lavapipe-8.gpu 602 40
    lavapipe-16.gpu 155 0
    swiftshader.gpu 175 0)

# vksort_budget(<test>): holds the test to its numbers, where there are any.
function(vksort_budget test)
    list(FIND budgets ${test} at)
    if(at EQUAL -1 OR "$ENV{VKSORT_TEST_LEVEL}" STREQUAL "full")
        return()
    endif()
    math(EXPR pipelines_at "${at} + 1")
    math(EXPR skips_at "${at} + 2")
    list(GET budgets ${pipelines_at} pipelines)
    list(GET budgets ${skips_at} skips)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT VKSORT_TEST_PIPELINES=${pipelines} VKSORT_TEST_SKIPS=${skips})
    if(test STREQUAL "lavapipe-8.gpu")
        set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT VKSORT_TEST_EVERY_KERNEL=1)
    endif()
endfunction()
