// What hashed columns are called: the most frequent name of each, as far as a vote can tell.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include "base/buffer.hpp"
#include "base/hashes.hpp"
#include "fast/prefetch.hpp"
#include "text/unicode.hpp"

namespace rosenblatt {

/// Where scikit-learn's FeatureHasher puts a name: the hash as a signed number, less its sign,
/// which is no branch since it could not be predicted.
inline std::uint32_t bucket_of(std::uint32_t hash, std::uint32_t last) {
    const std::uint32_t negative = hash >> 31;
    return ((hash ^ (0u - negative)) + negative) & last;
}

/// Each bucket keeps one name and its lead over the others (Boyer and Moore 1981): a name that
/// makes up more than half of what a bucket saw is the one it keeps. A name is known by its hash.
class BucketNames {
  public:
    static constexpr std::size_t longest_name = 128;

    explicit BucketNames(int bits)
        : last((1u << bits) - 1), votes(zeros<Vote>(bits)), names(zeros<Name>(bits)) {}

    std::uint32_t last;

    BucketNames copy() const {
        BucketNames same(std::bit_width(last));
        each([&](auto... known) { same.give(known...); });
        return same;
    }

    [[gnu::always_inline]] void prefetch(std::uint32_t bucket) const {
        prefetch_near(votes.get(), bucket);
    }

    void see(std::uint32_t bucket, std::uint32_t hash, std::string_view name) {
        if (vote(bucket, hash)) call(bucket, name);
    }

    /// Counts the vote for a name; says whether the bucket is now to be called by it.
    bool vote(std::uint32_t bucket, std::uint32_t hash) {
        Vote& vote = votes[bucket];
        if (vote.lead > 0 && vote.hash == hash)
            vote.lead += vote.lead < UINT32_MAX;
        else if (vote.lead > 0)
            --vote.lead;
        else {
            vote = {hash, 1};
            return true;
        }
        return false;
    }
    void call(std::uint32_t bucket, std::string_view name) { write(names[bucket], name); }

    void give(std::uint32_t bucket, std::string_view name, std::uint32_t hash, std::uint32_t lead) {
        votes[bucket] = {hash, lead};
        call(bucket, name);
    }

    /// The name that a bucket keeps; empty if it saw none.
    std::string_view name(std::size_t bucket) const {
        return {bytes.data() + names[bucket].begin, names[bucket].size};
    }

    /// Calls visit(bucket, name, hash, lead) for each bucket that saw a name.
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t k = 0; k <= last; ++k)
            if (names[k].size)
                visit(static_cast<std::uint32_t>(k), name(k), votes[k].hash, votes[k].lead);
    }

  private:
    // Most grams are met again: then the votes alone are looked at, and they lie close together.
    struct Vote {
        std::uint32_t hash, lead;
    };
    struct Name {
        std::size_t begin, size;
    };
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    template <class Value>
    using Zeros = std::unique_ptr<Value[], Free>;

    /// Memory that the system need not find before it is used.
    template <class Value>
    static Zeros<Value> zeros(int bits) {
        Zeros<Value> memory(
            static_cast<Value*>(std::calloc(std::size_t{1} << bits, sizeof(Value))));
        if (!memory) throw std::bad_alloc();
        return memory;
    }

    void write(Name& name, std::string_view text) {
        if (text.size() > longest_name) {
            std::size_t size = longest_name;
            while ((text[size] & 0xC0) == 0x80) --size;  // not in the middle of a character
            text = text.substr(0, size);
        }
        named += text.size() - name.size;
        if (bytes.size() + text.size() > 2 * named + (1 << 16)) forget_old_names();
        if (text.size() > name.size) {
            name.begin = bytes.size();
            bytes.room(text.size());
            bytes.commit(text.size());
        }
        std::memcpy(bytes.data() + name.begin, text.data(), text.size());
        name.size = text.size();
    }

    void forget_old_names() {
        Buffer<char> kept;
        for (std::size_t k = 0; k <= last; ++k) {
            Name& name = names[k];
            if (name.size == 0) continue;
            std::memcpy(kept.room(name.size), bytes.data() + name.begin, name.size);
            name.begin = kept.size();
            kept.commit(name.size);
        }
        bytes = std::move(kept);
    }

    Zeros<Vote> votes;
    Zeros<Name> names;
    Buffer<char> bytes;
    std::size_t named = 0;
};

}  // namespace rosenblatt
