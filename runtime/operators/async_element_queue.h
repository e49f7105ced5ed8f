#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/check.h"

namespace wiesel::runtime {

enum class AsyncOutputMode : uint8_t { kOrdered, kUnordered };

/// The requests in flight and the watermarks between them. What is complete leaves in the order of
/// arrival, or, when unordered, between two watermarks in the order of completion.
///
/// `Request` is what a request is known by, with its `results` once they are there.
///
/// Threads: the task thread only.
/// Flink:   OrderedStreamElementQueue, UnorderedStreamElementQueue (1.20).
template <class Request>
class AsyncElementQueue {
 public:
  AsyncElementQueue(AsyncOutputMode mode, size_t capacity) : mode_(mode), capacity_(capacity) {}

  /// Watermarks take a place, too.
  bool isFull() const { return size_ >= capacity_; }
  bool isEmpty() const { return size_ == 0; }

  /// Requires !isFull(). The reference holds until the request has left.
  Request& add(uint64_t number, Request request) {
    Segment& segment = openSegment();
    segment.entries.push_back({number, std::move(request), false, &segment});
    places_.emplace(number, std::prev(segment.entries.end()));
    ++size_;
    return segment.entries.back().request;
  }

  /// Requires !isFull().
  void addWatermark(int64_t watermark_ms) {
    openSegment().watermark_ms = watermark_ms;
    ++size_;
  }

  /// Null when the request has been completed before.
  Request* find(uint64_t number) {
    const auto place = places_.find(number);
    return place == places_.end() ? nullptr : &place->second->request;
  }

  /// Requires find(number).
  void complete(uint64_t number) {
    const auto place = places_.find(number);
    WIESEL_CHECK(place != places_.end());
    const auto entry = place->second;
    entry->is_complete = true;
    if (mode_ == AsyncOutputMode::kUnordered) entry->segment->completed.push_back(entry);
    places_.erase(place);
  }

  /// Takes out what may leave: calls `on_request(Request&)` and `on_watermark(int64_t)`.
  template <class OnRequest, class OnWatermark>
  void takeCompleted(OnRequest&& on_request, OnWatermark&& on_watermark) {
    while (!segments_.empty()) {
      Segment& first = segments_.front();
      takeFrom(first, on_request);
      if (!first.entries.empty() || !first.watermark_ms) return;
      on_watermark(*first.watermark_ms);
      segments_.pop_front();
      --size_;
    }
  }

  /// Calls `on_request(const Request&)` and `on_watermark(int64_t)` for all that is in it.
  template <class OnRequest, class OnWatermark>
  void forEach(OnRequest&& on_request, OnWatermark&& on_watermark) const {
    for (const Segment& segment : segments_) {
      for (const Entry& entry : segment.entries) on_request(entry.request);
      if (segment.watermark_ms) on_watermark(*segment.watermark_ms);
    }
  }

 private:
  struct Segment;
  struct Entry {
    uint64_t number = 0;
    Request request;
    bool is_complete = false;
    Segment* segment = nullptr;
  };
  using Place = typename std::list<Entry>::iterator;

  /// Requests up to a watermark; the last segment may have none yet.
  struct Segment {
    std::list<Entry> entries;      // In the order of arrival.
    std::vector<Place> completed;  // Of the unordered mode, in the order of completion.
    std::optional<int64_t> watermark_ms;
  };

  Segment& openSegment() {
    if (segments_.empty() || segments_.back().watermark_ms) segments_.emplace_back();
    return segments_.back();
  }

  template <class OnRequest>
  void takeFrom(Segment& segment, OnRequest& on_request) {
    while (!segment.entries.empty() && segment.entries.front().is_complete &&
           mode_ == AsyncOutputMode::kOrdered) {
      on_request(segment.entries.front().request);
      segment.entries.pop_front();
      --size_;
    }
    for (const Place place : std::exchange(segment.completed, {})) {
      on_request(place->request);
      segment.entries.erase(place);
      --size_;
    }
  }

  const AsyncOutputMode mode_;
  const size_t capacity_;
  size_t size_ = 0;
  std::deque<Segment> segments_;
  std::unordered_map<uint64_t, Place> places_;  // Of what is not complete.
};

}  // namespace wiesel::runtime
