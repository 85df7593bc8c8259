// SPDX-License-Identifier: MIT
//
// The two lists that a merge pass makes one of, and the merge path through them in memory.

// A = [a_begin, a_end), B = [b_begin, b_end): elements of source_slot, or of the two inputs of a merge.
struct Lists {
    uint a_begin, a_end;
    uint b_begin, b_end;
};

// In a pass of level p the neighbours are lists of 2^p tiles. With two inputs B counts its own elements.
Lists lists_of_tile(uint tile) {
    if (has_flag(kFlagTwoInputs)) {
        return Lists(0, first_count(), 0, whole_count() - first_count());
    }
    uint level = pass_level();
    uint left = tile >> (level + 1) << (level + 1); // first tile of A
    uint width = 1u << level;
    uint tiles = whole_tiles();
    uint middle = min(left + width, tiles);
    uint right = min(middle + width, tiles);
    uint a_end = middle == tiles ? whole_count() : middle * pc.tileSize;
    uint b_end = right == tiles ? whole_count() : right * pc.tileSize;
    return Lists(left * pc.tileSize, a_end, a_end, b_end);
}

// Where the lists' output begins.
uint output_begin(Lists lists) {
    return has_flag(kFlagTwoInputs) ? 0 : lists.a_begin;
}

// Element i of A's or B's array.
Key list_key(uint slot, bool from_a, uint i) {
    if (has_flag(kFlagTwoInputs)) {
        return from_a ? load_input_key(i) : load_second_input_key(i);
    }
    return load_slot_key(slot, i);
}

uint length_of(Lists lists) {
    return lists.a_end - lists.a_begin + (lists.b_end - lists.b_begin);
}

// Elements that A or B has at most, in this pass.
uint longest_list() {
    return has_flag(kFlagTwoInputs) ? min(first_count(), whole_count() - first_count())
                                    : min(pc.tileSize << pass_level(), whole_count());
}

// How many of the first `diagonal` elements of merge(A, B) come from A at least, and at most.
uint least_from_a(Lists lists, uint diagonal) {
    uint b_count = lists.b_end - lists.b_begin;
    return diagonal > b_count ? diagonal - b_count : 0;
}

uint most_from_a(Lists lists, uint diagonal) {
    return min(diagonal, lists.a_end - lists.a_begin);
}

// Whether of the two elements that meet on the diagonal there A's comes first.
bool comes_from_a(uint slot, Lists lists, uint diagonal, uint a) {
    Key a_key = list_key(slot, true, lists.a_begin + a);
    Key b_key = list_key(slot, false, lists.b_begin + diagonal - 1 - a);
    return !key_before(b_key, a_key);
}

// How many of the first `diagonal` elements of merge(A, B) come from A, known to be in [low, high]; of equal keys A's come
// first.
uint merge_path(uint slot, Lists lists, uint diagonal, uint low, uint high) {
    while (low < high) {
        uint middle = low + (high - low) / 2;
        if (comes_from_a(slot, lists, diagonal, middle)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint merge_path(uint slot, Lists lists, uint diagonal) {
    return merge_path(slot, lists, diagonal, least_from_a(lists, diagonal), most_from_a(lists, diagonal));
}

// Splits at two diagonals `distance` apart come in this order of themselves, unless a comparator is no order: then the reads
// of the elements between them must still stay in the lists.
uint next_split_in_range(uint split, uint next_split, uint distance) {
    return clamp(next_split, split, split + distance);
}
