// SPDX-License-Identifier: MIT
//
// Stages of one dispatch, each of which needs all that the one before has written: a barrier for all workgroups that works
// without a promise that any two of them run at the same time. A stage's work is in chunks, scattered by an atomic ticket,
// and no workgroup that has taken a chunk waits for another without bound before it is done. One that finds all taken,
// but not all done, waits for a while, and then leaves for good. Who tells that the last one is done never waits: that
// workgroup would do all of the next stage alone.
//
// What orders memory are the barriers, in publish() and receive(), which are barriers for shared memory, too; atomics are
// relaxed (lavapipe would make a control barrier of each that is not). Needs the memory model, and nonprivate buffers.
// control.stageChunks and tickets must be 0 before.

#extension GL_KHR_shader_subgroup_basic : require

shared uint s_chunk;
shared uint s_chunks_done; // when this workgroup told of its own
shared uint s_chunks_seen; // apart from the former, which others may still be reading while the first invocation waits

uint asked_chunk; // by the first invocation

// One chunk more of a stage, or any number from its chunks on if all are taken, once next_tile_number() is called. With a
// barrier in between where others still read what a chunk has in shared memory.
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

// What this workgroup has written others see, once they have been told.
void publish() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable);
}

// What others had published before they told, this workgroup sees.
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
