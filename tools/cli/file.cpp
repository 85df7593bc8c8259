// SPDX-License-Identifier: MIT
#include "file.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <random>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#else
#include <unistd.h>
#endif

#include "failure.hpp"

namespace fs = std::filesystem;

namespace {

constexpr size_t kChunk = 1 << 20;

// Temporary files that a signal handler must remove: plain memory, since a handler may not touch more.
constexpr int kSlots = 4;
constexpr size_t kSlotLength = 4096;
char slot_paths[kSlots][kSlotLength];
std::atomic<bool> slot_used[kSlots];
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers read it");

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

void on_signal(int signal_number) {
    for (int i = 0; i < kSlots; ++i) {
        if (slot_used[i]) {
#ifdef _WIN32
            _unlink(slot_paths[i]);
#else
            unlink(slot_paths[i]);
#endif
        }
    }
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);
}

void clean_up_at(int signal_number) {
    if (std::signal(signal_number, SIG_IGN) != SIG_IGN) { // as nohup and shells' background jobs want it
        std::signal(signal_number, on_signal);
    }
}

std::string reason(int error) { return std::generic_category().message(error); }

bool is_writable(const fs::path& folder) {
#ifdef _WIN32
    return _waccess(folder.c_str(), 2) == 0;
#else
    return access(folder.c_str(), W_OK) == 0;
#endif
}

std::string random_suffix() {
    static constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    std::random_device random;
    std::string suffix;
    for (int i = 0; i < 10; ++i) {
        suffix += kDigits[random() % 36];
    }
    return suffix;
}

// Reads to the end of `stream`; `expected` is a guess at the size.
std::vector<std::byte> read_stream(std::FILE* stream, const std::string& name, uint64_t expected) {
    std::vector<std::byte> bytes(expected);
    size_t size = 0;
    for (;;) {
        if (size == bytes.size()) {
            // A file of the expected size ends here: look for one more byte before growing.
            std::byte more;
            if (std::fread(&more, 1, 1, stream) == 0) {
                break;
            }
            bytes.resize(std::max(2 * size, size + kChunk));
            bytes[size++] = more;
        }
        const size_t got = std::fread(bytes.data() + size, 1, bytes.size() - size, stream);
        if (got == 0) {
            break;
        }
        size += got;
    }
    if (std::ferror(stream) != 0) {
        fail(kBadInput, "cannot read {}: {}", name, reason(errno));
    }
    bytes.resize(size);
    return bytes;
}

} // namespace

void prepare_files() {
#ifdef _WIN32
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
#else
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    clean_up_at(SIGHUP);
#endif
    clean_up_at(SIGINT);
    clean_up_at(SIGTERM);
}

bool is_terminal(std::FILE* stream) {
#ifdef _WIN32
    return _isatty(_fileno(stream)) != 0;
#else
    return isatty(fileno(stream)) != 0;
#endif
}

std::vector<std::byte> read_file(const std::string& path) {
    if (path == "-") {
        return read_stream(stdin, "standard input", 0);
    }
    std::error_code error;
    if (fs::is_directory(path, error)) {
        fail(kBadInput, "cannot read '{}': it is a folder; give a file, or - for standard input", path);
    }
    std::FILE* stream = std::fopen(path.c_str(), "rb");
    if (stream == nullptr) {
        fail(kBadInput, "cannot read '{}': {}; give a readable file, or - for standard input", path, reason(errno));
    }
    const uint64_t size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
    try {
        std::vector<std::byte> bytes = read_stream(stream, "'" + path + "'", error ? 0 : size);
        std::fclose(stream);
        return bytes;
    } catch (...) {
        std::fclose(stream);
        throw;
    }
}

void print_out(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
        fail(kBadInput, "cannot write to standard output: {}", reason(errno));
    }
}

OutputFile::OutputFile(const std::string& path) : path_(path), target_(path) {
    if (is_standard_output()) {
        return;
    }
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) {
        fail(kBadInput, "cannot write '{}': it is a folder; give the name of a file", path);
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        return; // a device or a pipe
    }
    if (fs::is_regular_file(status)) {
        const fs::path followed = fs::canonical(path, error); // a symbolic link stays one
        target_ = error ? path : followed.string();
    }
    fs::path folder = fs::path(target_).parent_path();
    folder = folder.empty() ? fs::path(".") : folder;
    if (!fs::is_directory(folder, error)) {
        fail(kBadInput, "cannot write '{}': there is no folder '{}'; create it first", path, folder.string());
    }
    if (!is_writable(folder)) {
        fail(kBadInput, "cannot write '{}': the folder '{}' is not writable; choose another", path, folder.string());
    }
    const std::string name = fmt::format(".{:.200}.{}", fs::path(target_).filename().string(), random_suffix());
    temporary_ = (folder / name).string();
}

OutputFile::~OutputFile() {
    if (stream_ != nullptr && stream_ != stdout) {
        std::fclose(stream_);
    }
    if (slot_ >= 0) {
        std::remove(temporary_.c_str());
        release_slot(slot_);
    }
}

void OutputFile::fail_writing(int error) {
    if (is_standard_output()) {
        fail(kBadInput, "cannot write to standard output: {}", reason(error));
    }
    fail(kBadInput, "cannot write '{}': {}", path_, reason(error));
}

void OutputFile::open() {
    if (is_standard_output()) {
        stream_ = stdout;
    } else if (temporary_.empty()) {
        stream_ = std::fopen(target_.c_str(), "wb");
    } else {
        slot_ = take_slot(temporary_);
        stream_ = std::fopen(temporary_.c_str(), "wb");
    }
    if (stream_ == nullptr) {
        fail_writing(errno);
    }
}

void OutputFile::write(std::span<const std::byte> bytes) {
    if (stream_ == nullptr) {
        open();
    }
    if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), stream_) != bytes.size()) {
        fail_writing(errno);
    }
}

void OutputFile::write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }

void OutputFile::close() {
    if (std::fflush(stream_) != 0) {
        fail_writing(errno);
    }
    if (stream_ != stdout) {
        std::FILE* stream = std::exchange(stream_, nullptr);
        if (std::fclose(stream) != 0) {
            fail_writing(errno);
        }
    }
}

void OutputFile::commit() {
    if (stream_ == nullptr) {
        open(); // an empty file
    }
    close();
    if (temporary_.empty()) {
        return;
    }
    std::error_code error;
    const fs::file_status old = fs::status(target_, error);
    if (fs::exists(old)) {
        fs::permissions(temporary_, old.permissions(), error);
    }
    fs::rename(temporary_, target_, error);
    if (error) {
        fail(kBadInput, "cannot write '{}': {}", path_, error.message());
    }
    release_slot(slot_);
    slot_ = -1;
}
