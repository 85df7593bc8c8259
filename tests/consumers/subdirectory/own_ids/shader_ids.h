/* SPDX-License-Identifier: MIT */
#define OWN_SHADER_ID 7
