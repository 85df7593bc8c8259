// SPDX-License-Identifier: MIT
#include "job.hpp"

#include "comparator.hpp"
#include "failure.hpp"
#include "key_text.hpp"
#include "report.hpp"

using vksort::host::SortOutcome;

namespace {

// What the library refuses on any device is refused before anything is read or opened.
VksortPlanDesc checked_description(const SortOptions& options) {
    options.check_files();
    const VksortPlanDesc desc = options.description();
    if (desc.keyType == VKSORT_KEY_COMPARATOR) {
        return desc; // cannot be described before the comparator is there
    }
    VksortDeviceInfo generic = {};
    vksortGetGenericDeviceInfo(&generic);
    VksortPlanInfo info = {};
    char message[512] = "";
    if (vksortDescribePlan(&generic, &desc, &info, message, sizeof message) == VK_ERROR_FORMAT_NOT_SUPPORTED) {
        fail(kBadInput, "{}", message);
    }
    return desc;
}

} // namespace

Job::Job(const SortOptions& options)
    : options_(options), desc_(checked_description(options)), output_(outputs_.add(options.output)),
      values_output_(options.values_output.empty() ? nullptr : &outputs_.add(options.values_output)) {
    progress_.stage("reading");
}

std::vector<std::byte> Job::keys(const std::string& path) const {
    return options_.comparator.empty() ? read_keys(path, desc_.keyType, options_.text)
                                       : read_raw_keys(path, options_.key_size);
}

std::vector<std::byte> Job::values(const std::string& path, uint64_t count) const {
    return path.empty() ? std::vector<std::byte>() : read_values(path, desc_.valueSize, count);
}

uint64_t Job::count(const std::vector<std::byte>& keys) const { return keys.size() / options_.key_bytes(); }

void Job::run(vksort::host::Request& request, const JobInput& input, const std::string& done,
              const std::function<SortOutcome(vksort::host::Device&)>& operation) {
    std::unique_ptr<ComparatorFile> order;
    if (!options_.comparator.empty()) {
        progress_.stage("compiling the comparator");
        order = std::make_unique<ComparatorFile>(options_.comparator, options_.key_size / 4);
    }
    progress_.stage("opening the device");
    const bool reports = options_.summary || options_.timings;
    uint32_t validation_messages = 0;
    vksort::host::DeviceOptions device_options;
    device_options.selector = options_.device;
    device_options.validation = options_.validation;
    device_options.on_message = [&](VksortSeverity severity, const std::string& message) {
        // Errors of vksort itself come back as exceptions; the layer's messages are the only other ones.
        if (severity == VKSORT_SEVERITY_WARNING || options_.validation) {
            vksort::files::print_error(fmt::format("vksort: {}\n", message));
        }
        ++validation_messages;
    };
    request.desc = desc_;
    request.warm_up = reports;
    request.progress = [&](const char* stage, double fraction) { progress_.stage(stage, fraction); };
    SortOutcome outcome;
    std::string report;
    {
        vksort::host::Device device(device_options);
        vksort::Comparator comparator;
        if (order) {
            comparator = order->create(device.context());
            request.desc.comparator = comparator.get();
            request.key_words = options_.key_size / 4;
        }
        outcome = operation(device);
        report += reports ? summary_text(done, device.listing().name, input.count(options_.key_bytes()), outcome) : "";
    }
    if (options_.validation && validation_messages != 0) {
        fail(kNoDevice, "the validation layer had {} messages; nothing was written", validation_messages);
    }
    progress_.stage("checking");
    check(input, outcome);
    progress_.stage("writing");
    write(outcome);
    report += options_.timings ? timings_text(outcome) : "";
    report += options_.stats ? work_text(outcome) : "";
    progress_.finish();
    vksort::files::print_error(report);
}

void Job::check(const JobInput& input, const SortOutcome& outcome) const {
    const uint32_t key_size = options_.key_bytes();
    const bool right = options_.argsort ? is_permutation_of_indices(input, outcome.values, input.count(key_size))
                                        : is_permutation(input, {outcome.keys, outcome.values}, key_size, desc_.valueSize);
    if (right) {
        return;
    }
    if (options_.comparator.empty()) {
        fail(kNoDevice, "the device or its driver failed: the result is no permutation of the input; nothing was written");
    }
    fail(kBadInput,
         "keys were lost, so nothing was written: before() in {} is no strict weak order, as std::sort would need it{}; for "
         "any keys, where a stands before b and b before c, a must stand before c, and no key may stand before itself",
         shown_name(options_.comparator), input.lists.size() > 1 ? ", or A or B is not sorted by it" : "");
}

void Job::write(const SortOutcome& outcome) {
    if (options_.argsort) {
        options_.text ? output_.write(keys_to_text(outcome.values, VKSORT_KEY_U32)) : output_.write(outcome.values);
    } else {
        options_.text ? output_.write(keys_to_text(outcome.keys, desc_.keyType)) : output_.write(outcome.keys);
    }
    if (values_output_) {
        values_output_->write(outcome.values);
    }
    outputs_.commit();
}
