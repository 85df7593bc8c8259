// SPDX-License-Identifier: MIT
//!: 'before' : function without a body
bool before(Key a, Key b);
