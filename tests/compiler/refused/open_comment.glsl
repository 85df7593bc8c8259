// SPDX-License-Identifier: MIT
//!:4: 'comment' : End of input in comment
bool before(Key a, Key b) { return a.words[0] < b.words[0]; }
/* no end
