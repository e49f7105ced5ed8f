// A child process for tests. The first argument says what it does.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "common/thread_event_loop.h"
#include "runtime/rpc/grpc_client_link.h"

namespace wiesel::runtime {
namespace {

/// Registers as a worker and stays.
int connectWorkerAndStay(const std::string& address) {
  ThreadEventLoop loop("helper");
  const auto link = connectWorker(address, loop).value();
  proto::WorkerToMaster message;
  message.mutable_register_()->set_worker_id("helper");
  link->send(message);
  link->start([](const proto::MasterToWorker&) {}, [](const std::string&) { ::_exit(0); });
  while (true) ::pause();
}

}  // namespace
}  // namespace wiesel::runtime

int main(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  if (verb == "connect-worker") return wiesel::runtime::connectWorkerAndStay(argv[2]);
  std::fprintf(stderr, "unknown verb '%s'\n", verb.c_str());
  return 2;
}
