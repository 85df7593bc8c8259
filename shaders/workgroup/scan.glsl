// SPDX-License-Identifier: MIT
//
// wg_exclusive_add(value), by subgroups where their size is known.
#if RANK_MATCH
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "scan_subgroup.glsl"
#else
#include "scan_plain.glsl"
#endif
