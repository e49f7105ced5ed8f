#include "runtime/taskmanager/task_manager_settings.h"

#include <unistd.h>

#include "absl/strings/str_format.h"
#include "common/config/cluster_options.h"
#include "common/config/memory_options.h"

namespace wiesel::runtime {

namespace {

constexpr char kLoopback[] = "127.0.0.1";
constexpr int64_t kRegistrationTimeoutMs = 5 * 60 * 1000;  // Flink's default.
constexpr int64_t kDefaultFlinkMemoryBytes = int64_t{1280} << 20;

}  // namespace

TaskManagerSettings taskManagerSettingsFrom(const Configuration& configuration,
                                            RandomSource& random) {
  TaskManagerSettings settings;
  settings.host = configuration.get(kTaskManagerHost).value_or(kLoopback);
  settings.bind_host = configuration.get(kTaskManagerBindHost).value_or(settings.host);
  settings.id = configuration.get(kTaskManagerResourceId)
                    .value_or(absl::StrFormat("%s:%d-%06x", settings.host, ::getpid(),
                                              random.next() & 0xffffff));
  settings.master_address = jobManagerAddressFrom(configuration);
  settings.slots = configuration.get(kTaskSlots);
  settings.managed_memory_bytes = managedMemoryBytesFrom(configuration);
  settings.registration_timeout_ms = kRegistrationTimeoutMs;
  return settings;
}

int64_t managedMemoryBytesFrom(const Configuration& configuration) {
  if (const auto size = configuration.get(kManagedMemorySize)) return size->bytes;
  const auto flink = configuration.get(kTaskManagerFlinkMemory);
  const auto process = configuration.get(kTaskManagerProcessMemory);
  const int64_t total_bytes = flink.has_value()     ? flink->bytes
                              : process.has_value() ? process->bytes
                                                    : kDefaultFlinkMemoryBytes;
  return static_cast<int64_t>(static_cast<double>(total_bytes) *
                              configuration.get(kManagedMemoryFraction));
}

std::string jobManagerAddressFrom(const Configuration& configuration) {
  return absl::StrFormat("%s:%d", configuration.get(kJobManagerAddress).value_or(kLoopback),
                         configuration.get(kJobManagerPort));
}

}  // namespace wiesel::runtime
