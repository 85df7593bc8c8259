// SPDX-License-Identifier: MIT
//
// A mutex of the operating system. std::mutex would make programs in C link the C++ standard library.
#pragma once

#ifndef _WIN32
#include <pthread.h>
#endif

namespace vksort {

class Mutex {
public:
    Mutex() = default;
    Mutex(const Mutex&) = delete;
    Mutex& operator=(const Mutex&) = delete;
    ~Mutex();
    void lock();
    void unlock();

private:
#ifdef _WIN32
    void* state_ = nullptr; // an SRWLOCK, of the same size and first value
#else
    pthread_mutex_t state_ = PTHREAD_MUTEX_INITIALIZER;
#endif
};

// Holds a mutex while it lives.
class MutexLock {
public:
    explicit MutexLock(Mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;
    ~MutexLock() { mutex_.unlock(); }

private:
    Mutex& mutex_;
};

} // namespace vksort
