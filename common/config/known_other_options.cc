#include <chrono>
#include <cstdint>

#include "common/config/known_option_rows.h"
#include "common/config/metrics_options.h"

namespace wiesel::internal {
namespace {

void addMetricsRows(std::vector<KnownOption>& rows) {
  rows.insert(rows.end(),
              {
                  unused(kMetricsReporters),
                  accepted<std::string>("metrics.reporter.*"),
                  accepted<std::string>("metrics.scope.*"),
                  unused(kLatencyInterval),
                  accepted<std::string>("metrics.latency.granularity", "operator"),
                  accepted<int32_t>("metrics.latency.history-size", "128"),
                  accepted<std::vector<std::string>>("metrics.job.status.enable", "CURRENT_TIME"),
                  unused(kMetricsFetcherUpdateInterval),
                  accepted<bool>("metrics.system-resource", "false"),
              });
}

void addJavaRows(std::vector<KnownOption>& rows) {
  rows.insert(rows.end(), {
                              accepted<std::string>("classloader.*"),
                              accepted<std::string>("env.java.opts"),
                              accepted<std::string>("env.java.opts.*"),
                              accepted<std::string>("env.java.home"),
                          });
}

void addPluginRows(std::vector<KnownOption>& rows) {
  rows.insert(
      rows.end(),
      {
          accepted<std::string>("s3.access-key", "", {"s3.access.key", "fs.s3a.access.key"}),
          accepted<std::string>("s3.secret-key", "", {"s3.secret.key", "fs.s3a.secret.key"}),
          accepted<std::string>("s3.endpoint"),
          accepted<bool>("s3.path.style.access", "false"),
          accepted<std::string>("s3.region", "", {"s3.endpoint.region"}),
          accepted<std::string>("s3.entropy.key"),
          accepted<int32_t>("s3.entropy.length", "4"),
          accepted<int32_t>("s3.upload.max.concurrent.uploads"),
          accepted<std::string>("security.ssl.*"),
          accepted<std::string>("security.kerberos.*"),
      });
}

}  // namespace

void addOtherRows(std::vector<KnownOption>& rows) {
  addMetricsRows(rows);
  addJavaRows(rows);
  addPluginRows(rows);
}

}  // namespace wiesel::internal
