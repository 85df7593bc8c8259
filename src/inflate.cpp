// SPDX-License-Identifier: MIT
#include "inflate.h"

#include <cstddef>

#include <zlib.h>

namespace vksort {

namespace {

void* allocate(void* allocator, uInt items, uInt size) {
    return static_cast<const HostAllocator*>(allocator)->allocate(size_t{items} * size, alignof(std::max_align_t));
}

void release(void* allocator, void* memory) { static_cast<const HostAllocator*>(allocator)->release(memory); }

VkResult result_of(int status) {
    return status == Z_MEM_ERROR ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_INITIALIZATION_FAILED;
}

constexpr int kGzip =
    16; // added to the bits of the window: the data has the header of a gzip file, and a checksum behind it

} // namespace

VkResult inflate_code(const ShaderModule& shader, const HostAllocator& allocator, uint32_t* words) {
    z_stream stream = {};
    stream.zalloc = allocate;
    stream.zfree = release;
    stream.opaque = const_cast<HostAllocator*>(&allocator);
    stream.next_in = const_cast<unsigned char*>(shader.compressed); // zlib does not write there
    stream.avail_in = static_cast<uInt>(shader.compressedSize);
    stream.next_out = reinterpret_cast<unsigned char*>(words);
    stream.avail_out = static_cast<uInt>(shader.wordCount * sizeof(uint32_t));
    if (const int status = inflateInit2(&stream, MAX_WBITS + kGzip); status != Z_OK) {
        return result_of(status);
    }
    const int status = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return status == Z_STREAM_END && stream.avail_out == 0 ? VK_SUCCESS : result_of(status);
}

} // namespace vksort
