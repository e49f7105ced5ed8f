#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "common/executor.h"
#include "common/thread_event_loop.h"
#include "runtime/jobcode/blob_store.h"
#include "runtime/rpc/grpc_link_server.h"
#include "tests/support/awaited_queue.h"

namespace wiesel::runtime {

/// Accepts links and calls and hands them to the test.
class RecordingMaster : public LinkAcceptor, public ClientRequestHandler {
 public:
  void onTaskManagerConnected(std::unique_ptr<MasterToTaskManagerLink> link) override {
    task_managers.push(std::move(link));
  }
  void onWorkerConnected(std::unique_ptr<MasterToWorkerLink> link) override {
    workers.push(std::move(link));
  }
  void submitJob(proto::SubmitJobRequest request, Done<std::string> done) override {
    submissions.push({std::move(request), std::move(done)});
  }
  void waitForJob(const std::string& job_id, Done<proto::JobResult> done) override {
    waits.push({job_id, std::move(done)});
  }
  void cancelJob(const std::string& job_id, std::function<void(absl::Status)> done) override {
    done(absl::NotFoundError("Could not find Flink job (" + job_id + ")"));
  }

  testing::AwaitedQueue<std::unique_ptr<MasterToTaskManagerLink>> task_managers;
  testing::AwaitedQueue<std::unique_ptr<MasterToWorkerLink>> workers;
  testing::AwaitedQueue<std::pair<proto::SubmitJobRequest, Done<std::string>>> submissions;
  testing::AwaitedQueue<std::pair<std::string, Done<proto::JobResult>>> waits;
};

/// A real GrpcLinkServer on the loopback and a free port, with a recording master behind it.
class LinkServerFixture {
 public:
  LinkServerFixture() : directory_(newDirectory()) {
    blobs = BlobStore::open(directory_ + "/blobs").value();
    auto started = GrpcLinkServer::start(
        ListenAddress{.port_setting = "jobmanager.rpc.port"},
        {.loop = loop, .acceptor = master, .clients = master, .blobs = *blobs, .disk_work = disk});
    EXPECT_TRUE(started.ok()) << started.status();
    server = *std::move(started);
  }
  ~LinkServerFixture() {
    server.reset();
    loop.stop();
    std::filesystem::remove_all(directory_);
  }

  std::string address() const { return "127.0.0.1:" + std::to_string(server->port()); }
  const std::string& directory() const { return directory_; }

 private:
  static std::string newDirectory() {
    std::string pattern = ::testing::TempDir() + "/links-XXXXXX";
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    return pattern;
  }

  const std::string directory_;

 public:
  RecordingMaster master;
  DirectExecutor disk;
  ThreadEventLoop loop{"master"};
  std::unique_ptr<BlobStore> blobs;
  std::unique_ptr<GrpcLinkServer> server;
};

}  // namespace wiesel::runtime
