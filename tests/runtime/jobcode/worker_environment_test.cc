#include "runtime/jobcode/worker_environment.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace wiesel::runtime {
namespace {

/// Sets variables for a scope.
class ScopedVariables {
 public:
  explicit ScopedVariables(EnvironmentVariables variables) : variables_(std::move(variables)) {
    for (const auto& [name, value] : variables_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  ~ScopedVariables() {
    for (const auto& [name, value] : variables_) ::unsetenv(name.c_str());
  }

 private:
  const EnvironmentVariables variables_;
};

Configuration awkwardConfiguration() {
  Configuration configuration;
  configuration.setString("plain", "value");
  configuration.setString("equals", "a=b=c");
  configuration.setString("lines", "one\ntwo\\n\\");
  configuration.setString("empty", "");
  return configuration;
}

TEST(WorkerEnvironmentTest, IsNeitherWorkerNorClientByItself) {
  EXPECT_FALSE(WorkerEnvironment::fromProcess().has_value());
  EXPECT_FALSE(ClientEnvironment::fromProcess().has_value());
}

TEST(WorkerEnvironmentTest, ComesThroughTheVariablesOfAWorker) {
  WorkerEnvironment sent;
  sent.job_id = "job";
  sent.worker_id = "worker";
  sent.task_manager_id = "127.0.0.1:4711-abcdef";
  sent.master_address = "127.0.0.1:6123";
  sent.host = "127.0.0.1";
  sent.bind_host = "0.0.0.0";
  sent.managed_memory_bytes = int64_t{5} << 30;
  sent.working_directory = "/tmp/with space";
  EnvironmentVariables variables = sent.toVariables();
  variables.merge(configurationVariables(awkwardConfiguration()));
  const ScopedVariables scope(variables);

  const auto received = WorkerEnvironment::fromProcess();
  ASSERT_TRUE(received.has_value());
  EXPECT_EQ(received->job_id, sent.job_id);
  EXPECT_EQ(received->worker_id, sent.worker_id);
  EXPECT_EQ(received->task_manager_id, sent.task_manager_id);
  EXPECT_EQ(received->master_address, sent.master_address);
  EXPECT_EQ(received->host, sent.host);
  EXPECT_EQ(received->bind_host, sent.bind_host);
  EXPECT_EQ(received->managed_memory_bytes, sent.managed_memory_bytes);
  EXPECT_EQ(received->working_directory, sent.working_directory);
  EXPECT_EQ(received->configuration, awkwardConfiguration());
  EXPECT_FALSE(ClientEnvironment::fromProcess().has_value());
}

TEST(WorkerEnvironmentTest, ComesThroughTheVariablesOfAClient) {
  ClientEnvironment sent;
  sent.rpc_address = "127.0.0.1:6123";
  sent.detached = true;
  sent.status_fd = 7;
  sent.configuration = awkwardConfiguration();
  const ScopedVariables scope(sent.toVariables());

  const auto received = ClientEnvironment::fromProcess();
  ASSERT_TRUE(received.has_value());
  EXPECT_EQ(received->rpc_address, sent.rpc_address);
  EXPECT_TRUE(received->detached);
  EXPECT_EQ(received->status_fd, 7);
  EXPECT_EQ(received->configuration, awkwardConfiguration());
}

TEST(WorkerEnvironmentTest, KnowsItsOwnVariables) {
  ClientEnvironment client;
  client.status_fd = 3;
  for (const auto& [name, value] : client.toVariables()) EXPECT_TRUE(isJobVariable(name)) << name;
  for (const auto& [name, value] : WorkerEnvironment().toVariables()) {
    EXPECT_TRUE(isJobVariable(name)) << name;
  }
  EXPECT_TRUE(isJobVariable("WIESEL_WORKER_PIPE"));
  EXPECT_FALSE(isJobVariable("PATH"));
  EXPECT_FALSE(isJobVariable("WIESEL_FAULT"));
}

}  // namespace
}  // namespace wiesel::runtime
