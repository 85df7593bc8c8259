// SPDX-License-Identifier: MIT
#include "platform.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace vksort::files::platform {

namespace {

std::optional<FileId> id_of(const struct stat& status) {
    if (S_ISCHR(status.st_mode)) {
        return {};
    }
    return FileId{static_cast<uint64_t>(status.st_dev), static_cast<uint64_t>(status.st_ino)};
}

} // namespace

void prepare_standard_streams() {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(number, F_GETFD) == -1 && errno == EBADF) {
            // open gives the lowest number that is free, which is this one. The mode is the wrong one for the stream.
            (void)open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

void ignore_write_signals() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

void handle_interrupts(void (*handler)(int)) {
    for (const int number : {SIGHUP, SIGINT, SIGTERM}) {
        if (std::signal(number, SIG_IGN) != SIG_IGN) { // as nohup and the background jobs of shells want it
            std::signal(number, handler);
        }
    }
}

void remove_in_handler(const char* path) noexcept { unlink(path); }

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) != 0; }

bool is_device(const std::filesystem::path& path) {
    struct stat status = {};
    return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

bool is_writable_folder(const std::filesystem::path& folder) { return access(folder.c_str(), W_OK) == 0; }

std::optional<FileId> file_id(const std::filesystem::path& path) {
    struct stat status = {};
    return stat(path.c_str(), &status) == 0 ? id_of(status) : std::nullopt;
}

std::optional<FileId> file_id(std::FILE* stream) {
    struct stat status = {};
    return fstat(fileno(stream), &status) == 0 ? id_of(status) : std::nullopt;
}

bool is_same_name(const std::filesystem::path& a, const std::filesystem::path& b) { return a == b; }

std::FILE* create_file(const std::filesystem::path& path, bool for_owner_only) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, for_owner_only ? 0600 : 0666);
    return file < 0 ? nullptr : fdopen(file, "wb");
}

int copy_permissions(std::FILE* stream, const std::filesystem::path& target) {
    struct stat old = {};
    struct stat now = {};
    const int file = fileno(stream);
    if (stat(target.c_str(), &old) != 0 || fstat(file, &now) != 0) {
        return errno;
    }
    mode_t mode = old.st_mode & 0777;
    constexpr auto kKeep = static_cast<uid_t>(-1);
    if (old.st_uid != now.st_uid && fchown(file, old.st_uid, kKeep) != 0) {
        // Only root gives files away. The file stays with whoever writes it.
    }
    if (old.st_gid != now.st_gid && fchown(file, kKeep, old.st_gid) != 0) {
        mode = (mode & 0707) | (mode & 0007) << 3; // another group may do what anybody may
    }
    return fchmod(file, mode) == 0 ? 0 : errno;
}

int write_to_disk(std::FILE* stream) {
    if (std::fflush(stream) != 0) {
        return errno;
    }
    return fsync(fileno(stream)) == 0 ? 0 : errno;
}

int replace_file(const std::filesystem::path& file, const std::filesystem::path& target) {
    return rename(file.c_str(), target.c_str()) == 0 ? 0 : errno;
}

} // namespace vksort::files::platform
