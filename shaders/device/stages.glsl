// SPDX-License-Identifier: MIT
//
// Stages of one dispatch, each of which needs all that the one before has written: a barrier for all workgroups that works
// without a promise that any two of them execute at the same time. A stage's work is divided into chunks, which workgroups
// take by an atomic ticket. No workgroup that has taken a chunk waits for another without bound before its chunk is done. A
// workgroup that finds all chunks taken, but not all done, waits for a bounded time, and then leaves for good. The workgroup
// that reports the last chunk never waits, so at least that one goes on to the next stage.
//
// Memory is ordered by the barriers in publish() and receive(), which are barriers for shared memory, too. Atomics are
// relaxed, as lavapipe would make a control barrier of each that is not. Needs the memory model, and nonprivate buffers.
// control.stageChunks and tickets must be 0 before.

#extension GL_KHR_shader_subgroup_basic : require

shared uint s_chunk;
shared uint s_chunks_done; // chunks done when this workgroup reported its own
shared uint s_chunks_seen; // not s_chunks_done, which others may still read while the first invocation waits

uint asked_chunk; // of the first invocation only

// Asks for the next chunk of a stage, which next_tile_number() returns: if all are taken, a number that is no chunk's. A
// barrier must come in between where others still read what a chunk has in shared memory.
void ask_for_chunk(uint ticket) {
    if (thread_index == 0) {
        asked_chunk = atomicAdd(control.tickets[ticket], 1, gl_ScopeDevice, 0, 0);
    }
}

// Ends with a barrier.
uint next_tile_number() {
    if (thread_index == 0) {
        s_chunk = asked_chunk;
    }
    barrier();
    return s_chunk;
}

// Lets other workgroups see what this one has written, once it reports its chunks.
void publish() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable);
}

// Lets this workgroup see what others have written before they reported their chunks.
void receive() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeVisible);
}

// Adds chunks of the stage that are done, and returns how many are done by then.
uint finish_chunks(uint stage, uint chunks) {
    publish();
    if (thread_index == 0) {
        s_chunks_done = atomicAdd(control.stageChunks[stage], chunks, gl_ScopeDevice, 0, 0) + chunks;
    }
    receive();
    return s_chunks_done;
}

// Whether a number of chunks of the stage is done within a bounded wait.
bool wait_for_chunks(uint stage, uint chunks) {
    if (thread_index == 0) {
        uint done = 0;
        for (uint i = 0; i < SPIN_LIMIT && done < chunks; ++i) {
            done = atomicLoad(control.stageChunks[stage], gl_ScopeDevice, 0, 0);
        }
        s_chunks_seen = done;
    }
    receive();
    return s_chunks_seen >= chunks;
}
