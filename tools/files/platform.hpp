// SPDX-License-Identifier: MIT
//
// What the programs ask of the operating system beyond the C++ library. Everything that differs between systems is behind
// these functions: platform_posix.cpp and platform_windows.cpp.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>

namespace vksort::files::platform {

// Makes the standard streams binary, and takes the numbers of those that the caller of the program left closed: the next
// file to be opened would get such a number, and messages meant for standard error would end up in it. Reads and writes
// on a stream that was closed still fail.
void prepare_standard_streams();

// Has writes to a pipe without a reader, or past the largest size of a file, fail with an error in place of a signal.
void ignore_write_signals();

// Has `handler` called where the user or the system ends the program, except for the signals that it was started to
// ignore.
void handle_interrupts(void (*handler)(int));

// Removes a file. May be called in a signal handler.
void remove_in_handler(const char* path) noexcept;

bool is_terminal(std::FILE* stream);

// A terminal, a pipe, the null device: what is written to as it is.
bool is_device(const std::filesystem::path& path);

bool is_writable_folder(const std::filesystem::path& folder);

// Which file it is, whatever its name.
struct FileId {
    uint64_t device;
    uint64_t file;
    bool operator==(const FileId&) const = default;
};

// Symbolic links are followed. Nothing where there is no such file, or where it keeps nothing of what is written to it:
// terminals and the null device.
std::optional<FileId> file_id(const std::filesystem::path& path);
std::optional<FileId> file_id(std::FILE* stream);

// Whether two names in one folder are of one file, whether or not it exists.
bool is_same_name(const std::filesystem::path& a, const std::filesystem::path& b);

// Creates a file and opens it for writing: readable and writable by its owner alone, or with the permissions that files
// get by default. Null with errno where it exists or cannot be created.
std::FILE* create_file(const std::filesystem::path& path, bool for_owner_only);

// Gives the file the permissions of `target` and, as far as the system permits, its owner and group. A user without
// access to `target` gets none to the file. Returns 0 or an errno.
int copy_permissions(std::FILE* stream, const std::filesystem::path& target);

// Returns once everything written is on the disk: 0, or an errno.
int write_to_disk(std::FILE* stream);

// Renames a file, in place of `target` where that exists. Returns 0 or an errno.
int replace_file(const std::filesystem::path& file, const std::filesystem::path& target);

} // namespace vksort::files::platform
