// SPDX-License-Identifier: MIT
//!: 'helper' : function without a body
uint helper(Key key);
bool before(Key a, Key b) { return helper(a) < helper(b); }
