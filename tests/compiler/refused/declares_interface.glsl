// SPDX-License-Identifier: MIT
//!:6: 'layout' : not in a comparator: a comparator has no interface but its two keys
//!:7: 'uniform' : not in a comparator: a comparator sees nothing but its two keys
//!:9: 'shared' : not in a comparator: a comparator sees nothing but its two keys
// The word buffer alone is no reason.
layout(set = 0, binding = 1) Table { uint ranks[]; };
uniform sampler2D ranks_of_layers;
/* shared
   buffer */ shared uint counter; // layout(
bool before(Key a, Key b) { return a.words[0] < b.words[0]; }
