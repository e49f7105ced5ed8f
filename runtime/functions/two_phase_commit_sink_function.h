#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "common/serialization/void_namespace.h"
#include "runtime/functions/checkpointed_function.h"
#include "runtime/functions/rich_function.h"

namespace wiesel {

/// A base for functions of addSink() that write exactly once through transactions of their own. One
/// transaction is open at a time; a checkpoint pre-commits it and begins the next one, and when the
/// checkpoint is complete the transaction is committed.
///
/// `Txn` names a transaction in a way that still means something after a restart; it is stored with
/// each checkpoint, as is `Context`, which is made once for the life of a job's subtask.
///
/// Order:   beginTransaction, invoke for each record, preCommit, then commit, or recoverAndCommit
///          in a restarted job, where the transaction may have been committed already. What was
///          open at the restored checkpoint gets recoverAndAbort.
/// Threads: the task's own.
/// Errors:  what a method throws fails the task. Of several failing commits the first one is told,
///          when all have been tried.
/// Without checkpoints nothing is ever committed, and the open transaction is aborted in the end.
/// Flink:   TwoPhaseCommitSinkFunction (1.20).
template <class In, class Txn, class Context = std::monostate>
class TwoPhaseCommitSinkFunction : public RichFunction,
                                   public CheckpointedFunction,
                                   public CheckpointListener {
 public:
  void operator()(const In& value) { invoke(*current_, value); }

  void initializeState(FunctionInitializationContext& context) override {
    state_ = context.getOperatorStateStore().getListState(ListStateDescriptor<State>{"state"});
    bool has_context = false;
    for (State& restored : state_.get()) has_context |= recover(restored);
    if (!has_context) user_context_ = initializeUserContext();
    current_ = beginTransaction();
  }

  void snapshotState(FunctionSnapshotContext& context) override {
    if (current_) {
      preCommit(*current_);
      pending_.emplace(context.getCheckpointId(), std::move(*current_));
      current_.reset();
    }
    if (!is_finished_) current_ = beginTransaction();
    std::vector<Txn> pending;
    for (const auto& [checkpoint_id, transaction] : pending_) pending.push_back(transaction);
    state_.update({State(current_, std::move(pending), user_context_)});
  }

  /// Commits what belongs to this checkpoint and to those before it, whose own notifications may
  /// have been lost.
  void notifyCheckpointComplete(int64_t checkpoint_id) override {
    std::exception_ptr first_failure;
    while (!pending_.empty() && pending_.begin()->first <= checkpoint_id) {
      const Txn transaction = std::move(pending_.extract(pending_.begin()).mapped());
      try {
        commit(transaction);
      } catch (...) {
        if (!first_failure) first_failure = std::current_exception();
      }
    }
    if (first_failure) std::rethrow_exception(first_failure);
  }

  /// All input has ended: the next checkpoint begins no transaction any more.
  void finish() { is_finished_ = true; }

  /// To be called by a class that overrides it.
  void close() override {
    if (current_) abort(*std::exchange(current_, std::nullopt));
  }

 protected:
  /// Writes a record into the open transaction, which is the subclass's to change.
  virtual void invoke(Txn& transaction, const In& value) = 0;

  virtual Txn beginTransaction() = 0;

  /// Makes everything ready so that commit() will succeed, also after a restart: flushes.
  virtual void preCommit(Txn& transaction) = 0;

  virtual void commit(const Txn& transaction) = 0;
  virtual void abort(const Txn& transaction) = 0;

  /// As commit() and abort(), in a restarted job; both may meet a transaction that has been seen to
  /// already.
  virtual void recoverAndCommit(const Txn& transaction) { commit(transaction); }
  virtual void recoverAndAbort(const Txn& transaction) { abort(transaction); }

  /// What getUserContext() gives from then on, unless a checkpoint has one.
  virtual std::optional<Context> initializeUserContext() { return std::nullopt; }

  /// Follows the recovery of each stored context; `handled` are the transactions just committed or
  /// aborted.
  virtual void finishRecoveringContext(const std::vector<Txn>& handled) { (void)handled; }

  const std::optional<Context>& getUserContext() const { return user_context_; }

  /// Null between the last checkpoint of a finished job and its end.
  const Txn* currentTransaction() const { return current_ ? &*current_ : nullptr; }

  /// By the checkpoint that pre-committed them.
  const std::map<int64_t, Txn>& pendingTransactions() const { return pending_; }

 private:
  /// The open transaction, those that wait for their checkpoints, the context.
  using State = std::tuple<std::optional<Txn>, std::vector<Txn>, std::optional<Context>>;

  /// Returns true when there was a context.
  bool recover(State& restored) {
    auto& [open, pending, context] = restored;
    user_context_ = std::move(context);
    for (const Txn& transaction : pending) recoverAndCommit(transaction);
    if (open) {
      recoverAndAbort(*open);
      pending.push_back(std::move(*open));
    }
    if (user_context_) finishRecoveringContext(pending);
    return user_context_.has_value();
  }

  ListState<State> state_;
  std::optional<Txn> current_;
  std::map<int64_t, Txn> pending_;
  std::optional<Context> user_context_;
  bool is_finished_ = false;
};

}  // namespace wiesel
