/* SPDX-License-Identifier: MIT */
#include <shader_ids.h>

int own_shader_id(void);
int own_shader_id(void) { return OWN_SHADER_ID; }
