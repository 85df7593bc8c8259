// SPDX-License-Identifier: MIT
//
// What the radix algorithms share: the key as digits, the buffers by result mode, and the passes around the digit passes.
#pragma once

#include <optional>

#include "ops.h"

namespace vksort {

// A description in the terms of the kernels.
struct RadixShape {
    explicit RadixShape(const VksortPlanDesc& desc);

    uint32_t keySize = 0;    // bytes
    uint32_t keyWords = 0;   // words a key has inside: 1 or 2
    uint32_t valueWords = 0; // argsort: 1
    bool argsort = false;
    bool discardKeys = false;
    bool packed = false;   // keys narrower than a word
    bool floating = false; // keys are numbers as floats
    bool keysOnly = false; // no values, and all bits are sorted by: equal keys cannot be told apart
    uint32_t beginBit = 0; // in the key's words
    uint32_t endBit = 0;
    uint32_t digitPasses = 0;

    uint32_t key_bytes() const { return keyWords * 4; }
    uint32_t value_bytes() const { return valueWords * 4; }
};

// Push constants that follow from the description alone.
RadixPush radix_push(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const RadixShape& shape);

// A kernel in its variants, of which the plain ones use no subgroups.
struct KernelVariants {
    ModuleId oneWord, oneWordPlain, twoWords, twoWordsPlain;
    ModuleId of(uint32_t keyWords, bool plain) const {
        return keyWords == 2 ? (plain ? twoWordsPlain : twoWords) : (plain ? oneWordPlain : oneWord);
    }
};

// Module `name_k1` or `name_k2`.
ModuleId by_key(const RadixShape& shape, ModuleId oneWord, ModuleId twoWords);

// Binds input, result and temporaries of the many-workgroup algorithms, and says in push.firstSlot how they alias.
void bind_radix_buffers(PlanBuilder& builder, const RadixShape& shape, RadixPush& push);

// Places Control, bins and, behind them, the algorithm's own words. Returns the bytes of them all.
uint64_t lay_out_state(const RadixShape& shape, RadixPush& push, uint64_t ownWords);
// Reserves `bytes` for them. Must come before any other scratch region.
void bind_state(PlanBuilder& builder, uint64_t bytes);

// Passes as a whole sort; as a fallback, which the GPU may not take, and whose first pass IndirectArgs::fallback sizes; or
// behind passes of another kind that have done what the setup does, and have sized all, too, so that nothing waits for sizes
// (of many tiles, workgroups that find nothing to do take longer than that).
enum class Role : uint8_t { whole, fallback, after_setup };
// To where passes are decided.
void add_setup_passes(PlanBuilder& builder, const RadixShape& shape, const RadixPush& push, Role role);
void add_copy_pass(PlanBuilder& builder, const RadixShape& shape, const RadixPush& push, Role role);

// onesweep as numbers.
struct Onesweep {
    Onesweep(const PlanBuilder& builder, Role role) : Onesweep(builder, role, builder.overrides.sweeps) {}
    Onesweep(const PlanBuilder& builder, Role role, PlanOverrides::Sweeps sweeps);
    void add_passes(PlanBuilder& builder, Role role) const;

    RadixShape shape;
    bool oneDispatch = false; // instead of a histogram and digit passes
    RankTuning tuning;
    RadixPush push = {};
    uint64_t stateBytes = 0;
    // Of these, those at the start that have to be 0 before one dispatch that IndirectArgs sizes.
    uint64_t afterSetupBytes = 0;
    uint32_t firstGroups = 1; // workgroups of the first pass of a fallback

private:
    void add_one_dispatch(PlanBuilder& builder, Role role) const;
};

// Where plans share a recording, each step counts. `early`, which sorts what the first pass of an algorithm leaves to it,
// then stands beside the other passes of that algorithm, and one dispatch of onesweep behind them sorts what they leave, if
// they leave anything. It has the push constants and the state of `early`, and takes up to 1.4 times as long for many
// elements. None where `early` stands behind in any case.
std::optional<Onesweep> late_onesweep(const PlanBuilder& builder, Role role, Onesweep& early);

// Fills the specialization constants of a kernel that ranks tiles.
void specialize(Pass& pass, const RankTuning& tuning, uint32_t valueWords);
void specialize(Pass& pass, const PlainTuning& tuning);

// Where a digit position has its sizes in IndirectArgs.
uint64_t pass_args_offset(uint32_t digitPass);
uint64_t spine_args_offset(uint32_t digitPass);

// Memory traffic of a digit pass that moves keys and values.
void model_partition(Pass& pass, const VksortPlanDesc& desc, const RadixShape& shape, uint32_t digitPass);

} // namespace vksort
