// The names that a stretch of documents holds, for several threads to vote on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "buckets.hpp"
#include "buffer.hpp"
#include "folding.hpp"

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
            {bucket, hash, bytes.size(), name.size()});
        bytes.append(name);
    }

    /// Votes for what was seen of one share, in order, and tells which buckets it is to call anew.
    void vote(std::size_t share, BucketNames& names, Buffer<Called>& called) const {
        for (const Sighting& each : shares[share].view())
            if (names.vote(each.bucket, each.hash))
                called.push({each.bucket, {bytes.data() + each.begin, each.size}});
    }

  private:
    struct Sighting {
        std::uint32_t bucket, hash;
        std::size_t begin, size;
    };

    int bits;
    std::vector<Buffer<Sighting>> shares;
    Buffer<char> bytes;
};

/// Cuts documents into stretches that so many threads can note the names of in little memory.
inline std::vector<std::span<const Text>> rounds(std::span<const Text> documents,
                                                 std::size_t threads) {
    constexpr std::size_t characters_of_a_thread = 1 << 21;
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
