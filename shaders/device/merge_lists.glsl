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
        return Lists(0, control.countA, 0, control.count - control.countA);
    }
    uint level = pass_level();
    uint left = tile >> (level + 1) << (level + 1); // first tile of A
    uint width = 1u << level;
    uint middle = min(left + width, control.tiles);
    uint right = min(middle + width, control.tiles);
    uint a_end = middle == control.tiles ? control.count : middle * pc.tileSize;
    uint b_end = right == control.tiles ? control.count : right * pc.tileSize;
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

// How many of the first `diagonal` elements of merge(A, B) come from A; of equal keys A's come first.
uint merge_path(uint slot, Lists lists, uint diagonal) {
    uint b_count = lists.b_end - lists.b_begin;
    uint low = diagonal > b_count ? diagonal - b_count : 0;
    uint high = min(diagonal, lists.a_end - lists.a_begin);
    while (low < high) {
        uint middle = low + (high - low) / 2;
        Key a = list_key(slot, true, lists.a_begin + middle);
        Key b = list_key(slot, false, lists.b_begin + diagonal - 1 - middle);
        if (key_before(b, a)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

// Splits at two diagonals `distance` apart come in this order of themselves, unless a comparator is no order: then the reads
// of the elements between them must still stay in the lists.
uint next_split_in_range(uint split, uint next_split, uint distance) {
    return clamp(next_split, split, split + distance);
}
