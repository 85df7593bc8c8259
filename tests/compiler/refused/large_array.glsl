// SPDX-License-Identifier: MIT
//!: becomes SPIR-V that is not valid; is there an array of more than 65,532 elements in it?
#define TEN(x) x, x, x, x, x, x, x, x, x, x
#define THOUSAND(x) TEN(TEN(TEN(x)))
#define TWENTY_THOUSAND(x) TEN(THOUSAND(x)), TEN(THOUSAND(x))
const uint table[] = uint[](TWENTY_THOUSAND(0u), TWENTY_THOUSAND(1u), TWENTY_THOUSAND(2u), TEN(THOUSAND(3u)));
bool before(Key a, Key b) { return table[a.words[0] % 70000u] < table[b.words[0] % 70000u]; }
