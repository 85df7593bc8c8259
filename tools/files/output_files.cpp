// SPDX-License-Identifier: MIT
#include "output_files.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "path_text.hpp"
#include "platform.hpp"

namespace vksort::files {

namespace fs = std::filesystem;

namespace {

// Temporary files that a signal handler must remove: plain memory, since a handler may not touch more.
constexpr int kSlots = 16;
constexpr size_t kSlotLength = 4096;
char slot_paths[kSlots][kSlotLength];
std::atomic<bool> slot_used[kSlots];
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers read it");

// What went wrong first with standard output: an errno.
int output_error = 0;

int take_slot(const std::string& path) {
    for (int i = 0; i < kSlots; ++i) {
        if (!slot_used[i] && path.size() < kSlotLength) {
            std::memcpy(slot_paths[i], path.c_str(), path.size() + 1);
            slot_used[i] = true;
            return i;
        }
    }
    return -1;
}

void release_slot(int slot) {
    if (slot >= 0) {
        slot_used[slot] = false;
    }
}

void on_interrupt(int signal_number) {
    for (int i = 0; i < kSlots; ++i) {
        if (slot_used[i]) {
            platform::remove_in_handler(slot_paths[i]);
        }
    }
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);
}

std::string reason(int error) { return std::generic_category().message(error); }

std::string random_suffix() {
    static constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    std::random_device random;
    std::string suffix;
    for (int i = 0; i < 10; ++i) {
        suffix += kDigits[random() % 36];
    }
    return suffix;
}

fs::path folder_of(const fs::path& path) {
    const fs::path folder = path.parent_path();
    return folder.empty() ? fs::path(".") : folder;
}

// Where a chain of symbolic links ends, whether or not a file is there.
fs::path followed(fs::path path) {
    constexpr int kMostLinks = 40; // as Linux has it
    std::error_code error;
    for (int i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i) {
        path = folder_of(path) / fs::read_symlink(path, error); // an absolute path stands for itself
    }
    return path;
}

} // namespace

void prepare_program() {
    platform::prepare_standard_streams();
    platform::ignore_write_signals();
    platform::handle_interrupts(on_interrupt);
}

bool is_terminal(std::FILE* stream) { return platform::is_terminal(stream); }

void print_error(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

void print_output(std::string_view text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written && output_error == 0) {
        output_error = errno;
    }
}

void check_output() {
    if (output_error != 0) {
        throw FileError(fmt::format("cannot write to standard output: {}", reason(output_error)));
    }
}

bool is_same_file(const std::string& a, const std::string& b) {
    const std::optional<platform::FileId> id = platform::file_id(path_of(a));
    return id && id == platform::file_id(path_of(b));
}

OutputFile::OutputFile(const std::string& path) : path_(path), target_(path_of(path)) {
    if (is_standard_output()) {
        return;
    }
    std::error_code error;
    if (fs::is_directory(target_, error)) {
        throw FileError(fmt::format("cannot write '{}': it is a folder; give the name of a file", path));
    }
    if (platform::is_device(target_)) {
        return;
    }
    target_ = followed(target_);
    const fs::path folder = folder_of(target_);
    if (!fs::is_directory(folder, error)) {
        throw FileError(fmt::format("cannot write '{}': there is no folder '{}'; create it first", path, text_of(folder)));
    }
    if (!platform::is_writable_folder(folder)) {
        throw FileError(
            fmt::format("cannot write '{}': the folder '{}' is not writable; choose another", path, text_of(folder)));
    }
    temporary_ = folder / path_of(fmt::format(".{:.200}.{}", text_of(target_.filename()), random_suffix()));
}

OutputFile::~OutputFile() {
    if (stream_ != nullptr && stream_ != stdout) {
        std::fclose(stream_);
    }
    if (slot_ >= 0) {
        std::error_code ignored;
        fs::remove(temporary_, ignored);
        release_slot(slot_);
    }
}

void OutputFile::fail(int error) const {
    throw FileError(is_standard_output() ? fmt::format("cannot write to standard output: {}", reason(error))
                                         : fmt::format("cannot write '{}': {}", path_, reason(error)));
}

bool OutputFile::is_same_file(const OutputFile& other) const {
    const auto id = [](const OutputFile& file) {
        return file.is_standard_output() ? platform::file_id(stdout) : platform::file_id(file.target_);
    };
    const std::optional<platform::FileId> mine = id(*this);
    if (mine && mine == id(other)) {
        return true;
    }
    if (is_standard_output() || other.is_standard_output()) {
        return path_ == other.path_;
    }
    // Files that are not there yet.
    std::error_code error;
    return !temporary_.empty() && !other.temporary_.empty() &&
           platform::is_same_name(target_.filename(), other.target_.filename()) &&
           fs::equivalent(folder_of(target_), folder_of(other.target_), error);
}

void OutputFile::open() {
    if (is_standard_output()) {
        stream_ = stdout;
    } else if (temporary_.empty()) {
        stream_ = std::fopen(path_.c_str(), "wb");
    } else {
        // What the file will be closed to is closed from the start: the permissions themselves come last.
        std::error_code error;
        slot_ = take_slot(text_of(temporary_));
        stream_ = platform::create_file(temporary_, fs::exists(target_, error));
    }
    if (stream_ == nullptr) {
        fail(errno);
    }
}

void OutputFile::write(std::span<const std::byte> bytes) {
    if (stream_ == nullptr) {
        open();
    }
    if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), stream_) != bytes.size()) {
        fail(errno);
    }
}

void OutputFile::write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }

void OutputFile::close() {
    if (stream_ == nullptr) {
        open(); // an empty file
    }
    std::error_code ignored;
    int error = 0;
    if (temporary_.empty()) {
        error = std::fflush(stream_) == 0 ? 0 : errno;
    } else {
        error = fs::exists(target_, ignored) ? platform::copy_permissions(stream_, target_) : 0;
        error = error != 0 ? error : platform::write_to_disk(stream_);
    }
    if (error == 0 && stream_ != stdout) {
        error = std::fclose(std::exchange(stream_, nullptr)) == 0 ? 0 : errno;
    }
    if (error != 0) {
        fail(error);
    }
}

void OutputFile::put_in_place() {
    if (temporary_.empty()) {
        return;
    }
    if (const int error = platform::replace_file(temporary_, target_)) {
        fail(error);
    }
    release_slot(slot_);
    slot_ = -1;
}

OutputFile& OutputFiles::add(const std::string& path) {
    auto added = std::make_unique<OutputFile>(path);
    for (const std::unique_ptr<OutputFile>& file : files_) {
        if (added->is_same_file(*file)) {
            throw FileError(fmt::format("'{}' and '{}' are one file, and two outputs cannot both go to it: give each a "
                                        "file of its own",
                                        file->path_, path));
        }
    }
    files_.push_back(std::move(added));
    return *files_.back();
}

void OutputFiles::commit() {
    for (const std::unique_ptr<OutputFile>& file : files_) {
        file->close();
    }
    std::string replaced;
    for (const std::unique_ptr<OutputFile>& file : files_) {
        try {
            file->put_in_place();
        } catch (const FileError& error) {
            if (replaced.empty()) {
                throw;
            }
            throw FileError(
                fmt::format("{}; that file is as it was, but {} has the new contents already", error.what(), replaced));
        }
        if (!file->temporary_.empty()) {
            replaced += fmt::format("{}'{}'", replaced.empty() ? "" : " and ", file->path_);
        }
    }
}

} // namespace vksort::files
