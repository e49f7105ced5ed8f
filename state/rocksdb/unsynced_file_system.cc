#include "state/rocksdb/unsynced_file_system.h"

#include <memory>
#include <string>
#include <utility>

#include "rocksdb/file_system.h"

namespace wiesel::state {
namespace {

using rocksdb::FileOptions;
using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

class UnsyncedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  using FSWritableFileOwnerWrapper::FSWritableFileOwnerWrapper;

  IOStatus Sync(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus RangeSync(uint64_t, uint64_t, const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }
};

class UnsyncedDirectory final : public rocksdb::FSDirectory {
 public:
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
};

class UnsyncedFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  UnsyncedFileSystem() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}

  const char* Name() const override { return "UnsyncedFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* file, IODebugContext* debug) override {
    return wrap(target()->NewWritableFile(path, options, file, debug), file);
  }
  IOStatus ReopenWritableFile(const std::string& path, const FileOptions& options,
                              std::unique_ptr<FSWritableFile>* file,
                              IODebugContext* debug) override {
    return wrap(target()->ReopenWritableFile(path, options, file, debug), file);
  }
  IOStatus ReuseWritableFile(const std::string& path, const std::string& old_path,
                             const FileOptions& options, std::unique_ptr<FSWritableFile>* file,
                             IODebugContext* debug) override {
    return wrap(target()->ReuseWritableFile(path, old_path, options, file, debug), file);
  }
  IOStatus NewDirectory(const std::string&, const IOOptions&,
                        std::unique_ptr<rocksdb::FSDirectory>* directory,
                        IODebugContext*) override {
    *directory = std::make_unique<UnsyncedDirectory>();
    return IOStatus::OK();
  }

 private:
  static IOStatus wrap(IOStatus status, std::unique_ptr<FSWritableFile>* file) {
    if (status.ok()) *file = std::make_unique<UnsyncedFile>(std::move(*file));
    return status;
  }
};

}  // namespace

rocksdb::Env* unsyncedEnvironment() {
  // Never destroyed: RocksDB's threads may still run when static objects are.
  static rocksdb::Env* const environment =
      rocksdb::NewCompositeEnv(std::make_shared<UnsyncedFileSystem>()).release();
  return environment;
}

}  // namespace wiesel::state
