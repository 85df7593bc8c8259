// SPDX-License-Identifier: MIT
#include "platform.hpp"

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>

#include <cerrno>
#include <csignal>

namespace vksort::files::platform {

namespace {

// Opens a file or a folder, or a device, to ask about it.
class Query {
public:
    explicit Query(const std::filesystem::path& path)
        : handle(CreateFileW(path.c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                             FILE_FLAG_BACKUP_SEMANTICS, nullptr)) {}
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;
    ~Query() {
        if (handle != INVALID_HANDLE_VALUE) {
            CloseHandle(handle);
        }
    }

    const HANDLE handle;
};

std::optional<FileId> id_of(HANDLE handle) {
    BY_HANDLE_FILE_INFORMATION information = {};
    if (handle == INVALID_HANDLE_VALUE || GetFileType(handle) != FILE_TYPE_DISK ||
        !GetFileInformationByHandle(handle, &information)) {
        return {};
    }
    return FileId{information.dwVolumeSerialNumber, uint64_t{information.nFileIndexHigh} << 32 | information.nFileIndexLow};
}

} // namespace

void prepare_standard_streams() {
    // A program without standard handles has streams without a file, whose numbers the C library keeps.
    for (std::FILE* stream : {stdin, stdout}) {
        if (_fileno(stream) >= 0) {
            _setmode(_fileno(stream), _O_BINARY);
        }
    }
    // Progress is drawn by escape sequences, which a console takes once it is asked to.
    for (const DWORD number : {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) {
        const HANDLE console = GetStdHandle(number);
        DWORD mode = 0;
        if (GetConsoleMode(console, &mode)) {
            SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
        }
    }
}

void ignore_write_signals() {} // there are none

void handle_interrupts(void (*handler)(int)) {
    for (const int number : {SIGINT, SIGTERM}) {
        if (std::signal(number, SIG_IGN) != SIG_IGN) {
            std::signal(number, handler);
        }
    }
}

void remove_in_handler(const char* path) noexcept { _unlink(path); }

bool is_terminal(std::FILE* stream) { return _fileno(stream) >= 0 && _isatty(_fileno(stream)) != 0; }

bool is_device(const std::filesystem::path& path) {
    const Query query(path);
    return query.handle != INVALID_HANDLE_VALUE && GetFileType(query.handle) != FILE_TYPE_DISK;
}

bool is_writable_folder(const std::filesystem::path& folder) { return _waccess(folder.c_str(), 2) == 0; }

std::optional<FileId> file_id(const std::filesystem::path& path) { return id_of(Query(path).handle); }

std::optional<FileId> file_id(std::FILE* stream) {
    const int number = _fileno(stream);
    return number < 0 ? std::nullopt : id_of(reinterpret_cast<HANDLE>(_get_osfhandle(number)));
}

bool is_same_name(const std::filesystem::path& a, const std::filesystem::path& b) {
    return CompareStringOrdinal(a.c_str(), -1, b.c_str(), -1, TRUE) == CSTR_EQUAL;
}

// Access is inherited from the folder.
std::FILE* create_file(const std::filesystem::path& path, bool /*for_owner_only*/) {
    const int file = _wopen(path.c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    return file < 0 ? nullptr : _fdopen(file, "wb");
}

int copy_permissions(std::FILE* /*stream*/, const std::filesystem::path& /*target*/) { return 0; }

int write_to_disk(std::FILE* stream) {
    if (std::fflush(stream) != 0) {
        return errno;
    }
    return _commit(_fileno(stream)) == 0 ? 0 : errno;
}

int replace_file(const std::filesystem::path& file, const std::filesystem::path& target) {
    std::error_code error;
    std::filesystem::rename(file, target, error);
    return error.default_error_condition().value();
}

} // namespace vksort::files::platform
