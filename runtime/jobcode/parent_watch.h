#pragma once

namespace wiesel::runtime {

/// The variable that names the descriptor of the pipe between a worker and its TaskManager.
inline constexpr char kParentPipeVariable[] = "WIESEL_WORKER_PIPE";

/// Ends this process within milliseconds of its TaskManager's end, however that ended: a thread
/// waits for the end of the inherited pipe, whose other end the TaskManager alone holds, and the
/// kernel kills what the thread cannot end. Does nothing in a process that is no worker.
///
/// Linking this library is enough: it is called before main(). Idempotent.
void watchTaskManager();

}  // namespace wiesel::runtime
