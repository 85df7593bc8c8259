// SPDX-License-Identifier: MIT
#include "mutex.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX // libstdc++ defines it
#define NOMINMAX
#endif
#include <windows.h>
#endif

namespace vksort {

#ifdef _WIN32

static_assert(sizeof(void*) == sizeof(SRWLOCK));

Mutex::~Mutex() = default;
void Mutex::lock() { AcquireSRWLockExclusive(reinterpret_cast<SRWLOCK*>(&state_)); }
void Mutex::unlock() { ReleaseSRWLockExclusive(reinterpret_cast<SRWLOCK*>(&state_)); }

#else

Mutex::~Mutex() { pthread_mutex_destroy(&state_); }
void Mutex::lock() { pthread_mutex_lock(&state_); }
void Mutex::unlock() { pthread_mutex_unlock(&state_); }

#endif

} // namespace vksort
