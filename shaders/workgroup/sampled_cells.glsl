// SPDX-License-Identifier: MIT
//
// bucket_sort by distribution: how many histogram cells each bin of the key range has (device/distribution.glsl), by how
// many of samples[] are in it, and whether the samples are uniform within their cells. Needs sample_number(), and in
// s_samples the samples in its order.

const uint BINS_PER_THREAD = (kRangeBins + WORKGROUP_SIZE - 1) / WORKGROUP_SIZE;
shared uint s_range_bins[BY_DISTRIBUTION ? kRangeBins : 1]; // sampled keys, then the word that state has for the bin
shared uint s_cell_firsts[BY_DISTRIBUTION ? kHashes : 1];     // as s_hashed, by the cell
shared uint s_near_bins;                                    // bins that have sampled keys, or whose neighbours do
// Sampled keys that are in the same cell as the first one there.
shared uint s_in_cell;
// Those of them that are in the same kNear-th of the cell as the first one.
shared uint s_near_cell;

// A barrier must follow.
void clear_cells() {
    if (thread_index == 0) {
        s_near_bins = 0;
        s_in_cell = 0;
        s_near_cell = 0;
    }
    for (uint i = thread_index; BY_DISTRIBUTION && i < kHashes; i += WORKGROUP_SIZE) {
        s_cell_firsts[i] = TILE_SIZE - 1;
    }
    for (uint i = thread_index; BY_DISTRIBUTION && i < kRangeBins; i += WORKGROUP_SIZE) {
        s_range_bins[i] = 0;
    }
}

void note_range_bins() {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        atomicAdd(s_range_bins[bin_of_number(number_of(numbering, samples[i]))], 1);
    }
}

// Divides each bin into cells, and returns the number of all cells. A barrier must come before; one comes at the end.
uint divide_bins(uint buckets) {
    uint sampled[BINS_PER_THREAD];
    uint near = 0;
    [[unroll]] for (uint j = 0; j < BINS_PER_THREAD; ++j) {
        uint bin = thread_index * BINS_PER_THREAD + j;
        // The neighbours count, too, since few keys of the outermost bins are sampled.
        sampled[j] = bin < kRangeBins ? 2 * s_range_bins[bin] + s_range_bins[max(bin, 1) - 1] +
            s_range_bins[min(bin + 1, kRangeBins - 1)] : 0;
        near += sampled[j] != 0 ? 1 : 0;
    }
    if (near != 0) {
        atomicAdd(s_near_bins, near);
    }
    barrier();
    // A quarter of the cells go in equal numbers to all bins near sampled keys, as the density of few keys may fall by
    // orders of magnitude within a bin. And every bin has kLeastCells, for keys where none is sampled.
    const uint kLeastCells = max(HISTOGRAM_CELLS / (4 * kRangeBins), 1);
    uint budget = min(HISTOGRAM_CELLS - kLeastCells * kRangeBins, kCellsABucket * buckets);
    uint alike = budget / 4 / max(s_near_bins, 1); // 0 bins in a workgroup that only prefetches code
    uint bits[BINS_PER_THREAD]; // bits of a cell of each bin
    uint own = 0;
    [[unroll]] for (uint j = 0; j < BINS_PER_THREAD; ++j) {
        uint bin = thread_index * BINS_PER_THREAD + j;
        uint most = sampled[j] * (budget - budget / 4) / (4 * TILE_SIZE) + (sampled[j] != 0 ? alike : 0);
        bits[j] = kRangeBinBits - min(uint(findMSB(max(most, kLeastCells))), kRangeBinBits - 1);
        own += bin < kRangeBins ? 1u << (kRangeBinBits - bits[j]) : 0;
    }
    uint cells;
    uint first = wg_exclusive_add(own, cells);
    [[unroll]] for (uint j = 0; j < BINS_PER_THREAD; ++j) {
        uint bin = thread_index * BINS_PER_THREAD + j;
        if (bin < kRangeBins) {
            s_range_bins[bin] = first << 5 | bits[j];
        }
        first += 1u << (kRangeBinBits - bits[j]);
    }
    barrier();
    return cells;
}

// note_cells() and count_in_cells(), with a barrier between: the keys of a cell are uniform if of those sampled no more than
// chance allows share a kNear-th of the cell with the first one.
const uint kNear = 16;

CellPosition position_of_sample(Key key) {
    uint number = number_of(numbering, key);
    return position_in_cell(number, s_range_bins[bin_of_number(number)]);
}

void note_cells() {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        atomicMin(s_cell_firsts[position_of_sample(samples[i]).cell % kHashes], sample_number(i));
    }
}

void count_in_cells() {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        CellPosition position = position_of_sample(samples[i]);
        Key key = s_samples[s_cell_firsts[position.cell % kHashes]];
        CellPosition first = position_of_sample(key);
        if (key != samples[i] && first.cell == position.cell) {
            atomicAdd(s_in_cell, 1);
            if (first.rest / (0xFFFFFFFFu / kNear + 1) == position.rest / (0xFFFFFFFFu / kNear + 1)) {
                atomicAdd(s_near_cell, 1);
            }
        }
    }
}

bool are_uniform_in_cells() {
    float expected = float(s_in_cell) / float(kNear);
    return float(s_near_cell) <= 1.5 * expected + 4.0 * sqrt(expected) + 4.0;
}

// Leaves the bins in state for the later steps, with cells that have no keys yet.
void store_range_bins(uint cells) {
    for (uint i = thread_index; i < kRangeBins; i += WORKGROUP_SIZE) {
        state[bin_word(i)] = s_range_bins[i];
    }
    for (uint i = thread_index; i < cells; i += WORKGROUP_SIZE) {
        state[cell_word(i)] = 0;
    }
}
