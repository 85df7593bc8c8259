// SPDX-License-Identifier: MIT
//
// std::sort and std::stable_sort (std::merge for merges, segment after segment for segmented sorts), on one thread and,
// where the platform has parallel algorithms, on all of them. Keys and their values lie side by side, as C++ would have
// them.
#include <algorithm>
#include <array>
#include <chrono>
#ifdef VKSORT_BENCH_HAS_PARALLEL_STL
#include <execution>
#endif

#include "../contender.h"
#include "../keys.h"
#include "../parallel.h"
#include "../verify.h"

namespace vksort::bench {

namespace {

enum class Variant { sort, stable_sort, parallel_sort, parallel_stable_sort };

bool is_parallel(Variant variant) { return variant == Variant::parallel_sort || variant == Variant::parallel_stable_sort; }
bool is_stable(Variant variant) { return variant == Variant::stable_sort || variant == Variant::parallel_stable_sort; }

template <typename K, uint32_t kValueWords> struct Element {
    typename K::Word key;
    std::array<uint32_t, kValueWords> value;
};
template <typename K> struct Element<K, 0> { typename K::Word key; };

template <typename K, bool kDescending> struct ByKey {
    template <typename Element> bool operator()(const Element& a, const Element& b) const {
        return kDescending ? K::ordered(b.key) < K::ordered(a.key) : K::ordered(a.key) < K::ordered(b.key);
    }
};

// Apart, since whole keys should not have to pay for it.
template <typename K> struct ByBits {
    Rank<K> rank;
    template <typename Element> bool operator()(const Element& a, const Element& b) const {
        return rank(a.key) < rank(b.key);
    }
};

template <typename K, uint32_t kValueWords, typename Order> class StdJob : public Job {
public:
    StdJob(const Input& input, Variant variant, Order order)
        : input_(input), variant_(variant), order_(order), before_(input.scenario.count),
          after_(input.scenario.operation == Operation::merge ? input.scenario.count : 0) {
        restore();
    }

    double wall_time() override {
        if (!is_merge()) { // which only reads
            restore();
        }
        const auto begin = std::chrono::steady_clock::now();
        if (is_merge()) {
            const auto middle = before_.begin() + static_cast<ptrdiff_t>(input_.scenario.count_a());
            merge(middle);
        } else if (input_.heads.empty()) {
            sort(before_.begin(), before_.end());
        } else {
            for (size_t i = 0; i < input_.heads.size(); ++i) {
                const uint64_t end = i + 1 < input_.heads.size() ? input_.heads[i + 1] : before_.size();
                sort(before_.begin() + input_.heads[i], before_.begin() + static_cast<ptrdiff_t>(end));
            }
        }
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    }

    void result(HostBytes& keys, HostBytes& values) override {
        const std::vector<E>& result = is_merge() ? after_ : before_;
        parallel_for(result.size(), [&](uint64_t first, uint64_t last) {
            for (uint64_t i = first; i < last; ++i) {
                K::store(keys.data(), i, result[i].key);
                if constexpr (kValueWords != 0) {
                    std::memcpy(values.data() + i * kValueWords * 4, result[i].value.data(), kValueWords * 4);
                }
            }
        });
    }

private:
    using E = Element<K, kValueWords>;

    bool is_merge() const { return input_.scenario.operation == Operation::merge; }

    void restore() {
        parallel_for(before_.size(), [&](uint64_t first, uint64_t last) {
            for (uint64_t i = first; i < last; ++i) {
                before_[i].key = K::load(input_.keys.data(), i);
                if constexpr (kValueWords != 0) {
                    std::memcpy(before_[i].value.data(), input_.values.data() + i * kValueWords * 4, kValueWords * 4);
                }
            }
        });
    }

    template <typename Iterator> void merge(Iterator middle) {
#ifdef VKSORT_BENCH_HAS_PARALLEL_STL
        if (is_parallel(variant_)) {
            std::merge(std::execution::par, before_.begin(), middle, middle, before_.end(), after_.begin(), order_);
            return;
        }
#endif
        std::merge(before_.begin(), middle, middle, before_.end(), after_.begin(), order_);
    }

    template <typename Iterator> void sort(Iterator begin, Iterator end) {
        switch (variant_) {
#ifdef VKSORT_BENCH_HAS_PARALLEL_STL
        case Variant::parallel_sort: std::sort(std::execution::par, begin, end, order_); break;
        case Variant::parallel_stable_sort: std::stable_sort(std::execution::par, begin, end, order_); break;
#endif
        case Variant::stable_sort: std::stable_sort(begin, end, order_); break;
        default: std::sort(begin, end, order_);
        }
    }

    const Input& input_;
    Variant variant_;
    Order order_;
    std::vector<E> before_, after_;
};

template <typename K> std::unique_ptr<Job> make_job(const Input& input, Variant variant) {
    const auto with = [&](auto order) -> std::unique_ptr<Job> {
        if (input.scenario.value_bytes == 0) {
            return std::make_unique<StdJob<K, 0, decltype(order)>>(input, variant, order);
        }
        return std::make_unique<StdJob<K, 1, decltype(order)>>(input, variant, order);
    };
    const Scenario& scenario = input.scenario;
    if (!scenario.bits.is_all()) {
        return with(ByBits<K>{Rank<K>(scenario.descending, scenario.bits.mask())});
    }
    return scenario.descending ? with(ByKey<K, true>{}) : with(ByKey<K, false>{});
}

// Each combination is an instantiation of every algorithm: the ones that results are compared by are enough.
bool is_compiled(VksortKeyType type, uint32_t value_bytes) {
    return (type == VKSORT_KEY_U32 || type == VKSORT_KEY_I32 || type == VKSORT_KEY_F32 || type == VKSORT_KEY_U64) &&
           (value_bytes == 0 || value_bytes == 4);
}

class StdContender : public Contender {
public:
    explicit StdContender(Variant variant) : variant_(variant) {}

    std::string name() const override {
        switch (variant_) {
        case Variant::stable_sort: return "std::stable_sort";
        case Variant::parallel_sort: return "std::sort, parallel";
        case Variant::parallel_stable_sort: return "std::stable_sort, parallel";
        default: return "std::sort";
        }
    }
    bool is_host() const override { return true; }

    std::string refusal(const Scenario& scenario) const override {
        if (!is_compiled(scenario.key, scenario.value_bytes)) {
            return "compiled for the keys u32, i32, f32 and u64, without values or with 4 bytes";
        }
        if (is_parallel(variant_) && scenario.operation == Operation::segmented_sort) {
            return "segments are too short for it";
        }
        return scenario.operation == Operation::merge && is_stable(variant_) ? "std::merge stands at std::sort" : "";
    }

    std::unique_ptr<Job> prepare(const Input& input) override {
        try {
            switch (input.scenario.key) {
            case VKSORT_KEY_I32: return make_job<Key<uint32_t, Kind::signed_integer>>(input, variant_);
            case VKSORT_KEY_F32: return make_job<Key<uint32_t, Kind::floating>>(input, variant_);
            case VKSORT_KEY_U64: return make_job<Key<uint64_t, Kind::unsigned_integer>>(input, variant_);
            default: return make_job<Key<uint32_t, Kind::unsigned_integer>>(input, variant_);
            }
        } catch (const std::bad_alloc&) {
            throw TooLarge("no host memory left");
        }
    }

    std::string verify(const Input& input, std::span<const std::byte> keys,
                       std::span<const std::byte> values) const override {
        const bool stable = is_stable(variant_) || input.scenario.operation == Operation::merge;
        return bench::verify(input, keys, values, stable);
    }

private:
    Variant variant_;
};

} // namespace

void add_std_sort(Contenders& contenders) {
    contenders.push_back(std::make_unique<StdContender>(Variant::sort));
    contenders.push_back(std::make_unique<StdContender>(Variant::stable_sort));
#ifdef VKSORT_BENCH_HAS_PARALLEL_STL
    contenders.push_back(std::make_unique<StdContender>(Variant::parallel_sort));
    contenders.push_back(std::make_unique<StdContender>(Variant::parallel_stable_sort));
#endif
}

} // namespace vksort::bench
