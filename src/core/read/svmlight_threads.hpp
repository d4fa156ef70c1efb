// Lines of svmlight, read on several threads: each takes one stretch of the text after the other.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "read/svmlight.hpp"

namespace rosenblatt {

/// Text in memory whose last byte is a newline; `slack` bytes must follow it.
struct SvmlightText {
    std::string_view text;

    std::size_t size() const { return text.size(); }

    /// The lines that begin at one of these bytes.
    std::string_view lines(std::size_t begin, std::size_t end, std::vector<char>&) const {
        const std::size_t first = begin == 0 ? 0 : text.find('\n', begin - 1) + 1;
        if (first >= end) return {};
        return text.substr(first, text.find('\n', end - 1) + 1 - first);
    }
};

/// Thrown if a file is cut short or has too long a line: it is to be read anew, on one thread.
struct SvmlightUnread {};

/// Text in a file, of which read_bytes(memory, begin, end) copies some, and says whether it could.
template <class ReadBytes>
struct SvmlightFile {
    static constexpr std::size_t step = 1 << 12;  // few lines go on for longer behind a stretch
    std::size_t length, longest_line;
    ReadBytes read_bytes;

    std::size_t size() const { return length; }

    /// The lines that begin at one of these bytes, copied into memory.
    std::string_view lines(std::size_t begin, std::size_t end, std::vector<char>& memory) const {
        const std::size_t from = begin - (begin > 0);
        std::string_view text;
        const auto copy_to = [&](std::size_t goal) {
            goal = std::min(goal, length);
            memory.resize(std::max(memory.size(), goal - from + 1 + slack));
            if (!read_bytes(memory.data() + text.size(), from + text.size(), goal))
                throw SvmlightUnread();
            if (goal == length) memory[goal - from] = '\n';
            text = {memory.data(), goal - from + (goal == length)};
        };
        copy_to(end + step);
        const std::size_t first = begin == 0 ? 0 : std::min(text.find('\n'), text.size()) + 1;
        if (from + first >= end) return {};
        std::size_t last;
        while ((last = text.find('\n', end - 1 - from)) == std::string_view::npos) {
            if (from + text.size() - end > longest_line) throw SvmlightUnread();
            copy_to(from + 2 * text.size());
        }
        return text.substr(first, last + 1 - first);
    }
};

/// The rows of stretches that are read at the same time, put together in the order of the text.
template <class Value>
class SvmlightStretches {
  public:
    SvmlightStretches(const SvmlightOptions& options, SvmlightRows<Value>& rows)
        : options(options), rows(rows) {
        rows.make_room(0);
    }

    /// Reads stretches of so many bytes that no other thread reads, until there are none.
    template <class Text, class Pause>
    void read(const Text& text, std::size_t stretch, Pause pause) {
        std::vector<char> memory;
        for (std::size_t number; !ended && (number = taken++) * stretch < text.size();) {
            pause();
            const std::size_t begin = number * stretch;
            const std::size_t end = std::min(begin + stretch, text.size());
            const std::string_view lines = text.lines(begin, end, memory);
            const char* const stop = lines.data() + lines.size();
            const std::size_t pairs = most_pairs(lines.data(), stop);
            const double times = double(text.size() - begin) / double(end - begin);
            SvmlightRows<Value> part = lend(number, pairs, times, pause);
            SvmlightLines<Value>(options, part).read(lines.data(), stop, pairs);
            append(number, std::move(part));
        }
    }

  private:
    using Lock = std::unique_lock<std::mutex>;

    /// Room for a stretch, once those before it have theirs. It and those that follow are thought
    /// to have so many times as many pairs.
    template <class Pause>
    SvmlightRows<Value> lend(std::size_t number, std::size_t pairs, double times, Pause pause) {
        Lock lock(guard);
        const auto wait_for = [&](const std::size_t& count) {
            const auto is_reached = [&] { return count == number; };
            while (!changed.wait_for(lock, std::chrono::milliseconds(50), is_reached)) pause();
        };
        wait_for(lent);
        std::optional<SvmlightRows<Value>> part = rows.lend(pairs);
        if (!part) {
            wait_for(appended);
            rows.expect(1.05 * times * double(pairs));
            rows.make_room(pairs);
            part = rows.lend(pairs);
        }
        ++lent;
        changed.notify_all();
        return std::move(*part);
    }

    /// Adds a stretch, and those that wait for it.
    void append(std::size_t number, SvmlightRows<Value>&& part) {
        const Lock lock(guard);
        parts.emplace(number, std::move(part));
        for (auto first = parts.begin(); first != parts.end() && first->first == appended;
             first = parts.erase(first), ++appended) {
            if (!ended) rows.append(first->second);
            ended = !options.set_aside && !rows.faults.empty();
        }
        changed.notify_all();
    }

    const SvmlightOptions& options;
    SvmlightRows<Value>& rows;
    std::atomic<std::size_t> taken = 0;
    std::atomic<bool> ended = false;
    std::mutex guard;
    std::condition_variable changed;
    std::size_t lent = 0, appended = 0;
    std::map<std::size_t, SvmlightRows<Value>> parts;  // read before some that precede them
};

/// Reads a text on so many threads, in stretches of so many bytes. The rows depend on neither.
template <class Value, class Text, class Pause>
void read_svmlight(const Text& text, std::size_t stretch, std::size_t threads,
                   const SvmlightOptions& options, Pause pause, SvmlightRows<Value>& rows) {
    SvmlightStretches<Value> stretches(options, rows);
    const std::size_t most = text.size() / stretch + 1;
    side_by_side(std::min(threads, most), pause,
                 [&](std::size_t, auto own_pause) { stretches.read(text, stretch, own_pause); });
}

}  // namespace rosenblatt
