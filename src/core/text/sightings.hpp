// The names that a stretch of documents holds, for several threads to vote on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "text/buckets.hpp"
#include "text/folding.hpp"

namespace rosenblatt {

/// A bucket and what it is to be called from now on.
struct Called {
    std::uint32_t bucket;
    std::string_view name;
};

/// Notes what it sees, apart for each share of the buckets.
class Sightings {
  public:
    Sightings(int bits, std::size_t shares) : bits(bits), shares(shares) {}

    void clear() {
        bytes.clear();
        for (auto& share : shares) share.clear();
    }

    void prefetch(std::uint32_t) const {}

    void see(std::uint32_t bucket, std::uint32_t hash, std::string_view name) {
        shares[std::size_t{bucket} * shares.size() >> bits].push(
            {hash, static_cast<std::uint32_t>(name.size()), bytes.size()});
        bytes.append(name);
    }

    /// Votes for what was seen of one share, in order, and tells which buckets it is to call anew.
    void vote(std::size_t share, BucketNames& names, Buffer<Called>& called) const {
        constexpr std::size_t ahead = 16;
        const std::span<const Sighting> seen = shares[share].view();
        for (std::size_t k = 0; k < seen.size(); ++k) {
            const auto [hash, size, begin] = seen[k];
            names.prefetch(bucket_of(seen[std::min(k + ahead, seen.size() - 1)].hash, names.last));
            const std::uint32_t bucket = bucket_of(hash, names.last);
            if (names.vote(bucket, hash)) called.push({bucket, {bytes.data() + begin, size}});
        }
    }

  private:
    struct Sighting {
        std::uint32_t hash, size;
        std::size_t begin;
    };

    int bits;
    std::vector<Buffer<Sighting>> shares;
    Buffer<char> bytes;
};

/// Cuts documents into stretches whose names so many threads can note within their caches.
inline std::vector<std::span<const Text>> rounds(std::span<const Text> documents,
                                                 std::size_t threads) {
    constexpr std::size_t characters_of_a_thread = 1 << 18;
    std::vector<std::span<const Text>> found;
    std::size_t begin = 0, characters = 0;
    for (std::size_t k = 0; k < documents.size(); ++k) {
        characters += documents[k].length;
        if (characters < characters_of_a_thread * threads && k + 1 < documents.size()) continue;
        found.push_back(documents.subspan(begin, k + 1 - begin));
        begin = k + 1;
        characters = 0;
    }
    return found;
}

}  // namespace rosenblatt
