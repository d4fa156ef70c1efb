// Lines of JSON: the text that each object has under one name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "base/buffer.hpp"
#include "read/lines.hpp"
#include "text/folding.hpp"
#include "text/utf8.hpp"

namespace rosenblatt {

/// Of each line that is not blank: where it begins and ends, newline included, its number, and
/// where its text ends in `data`. Texts lie one behind the other.
struct JsonTexts {
    Buffer<std::int64_t> begins, ends, lines, text_ends;
    Buffer<std::uint8_t> data;
    Buffer<std::int64_t> doubtful;  // the places of lines that somebody else has to judge
};

/// Takes the string that stands under a name in an object. All of the line is looked at, and what
/// is taken is JSON beyond doubt: whatever is seldom, such as a name twice, escapes in a name, half
/// a surrogate pair or a number of many digits, is left to a reader that takes its time.
class JsonMember {
  public:
    explicit JsonMember(std::string_view name) : wanted(name) {}

    /// Appends the text of the object on this line; says whether there is one beyond doubt. The
    /// memory behind the line may be read.
    bool read(const char* begin, const char* line_end, Buffer<std::uint8_t>& to) {
        const std::size_t before = to.size();
        at = begin;
        end = line_end;
        texts = &to;
        found = false;
        const bool sound =
            object(true, 0) && (skip_space(), at == end) && found && !garbled(begin, line_end);
        if (!sound) to.resize(before);
        return sound;
    }

  private:
    static constexpr int deepest = 64;
    static constexpr std::ptrdiff_t longest_number = 64;

    static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
    void skip_space() {
        while (at < end && is_space(*at)) ++at;
    }
    bool take(char c) {
        if (at == end || *at != c) return false;
        ++at;
        return true;
    }
    bool take(std::string_view word) {
        if (!std::string_view(at, static_cast<std::size_t>(end - at)).starts_with(word))
            return false;
        at += word.size();
        return true;
    }

    bool object(bool outermost, int depth) {
        skip_space();
        if (!take('{')) return false;
        skip_space();
        if (take('}')) return true;
        do {
            skip_space();
            if (!take('"')) return false;
            const char* const name = at;
            if (!skip_string()) return false;
            const std::string_view called(name, static_cast<std::size_t>(at - 1 - name));
            skip_space();
            if (!take(':')) return false;
            if (outermost && called.find('\\') != called.npos) return false;
            if (!(outermost && called == wanted ? text() : value(depth + 1))) return false;
            skip_space();
        } while (take(','));
        return take('}');
    }

    bool array(int depth) {
        skip_space();
        if (take(']')) return true;
        do {
            if (!value(depth + 1)) return false;
            skip_space();
        } while (take(','));
        return take(']');
    }

    bool value(int depth) {
        skip_space();
        if (at == end || depth > deepest) return false;
        switch (*at) {
            case '"': ++at; return skip_string();
            case '{': return object(false, depth);
            case '[': ++at; return array(depth);
            case 't': return take("true");
            case 'f': return take("false");
            case 'n': return take("null");
            default: return number();
        }
    }

    bool digits() {
        const char* const first = at;
        while (at < end && '0' <= *at && *at <= '9') ++at;
        return at > first;
    }

    bool number() {
        const char* const first = at;
        take('-');
        if (!take('0') && !digits()) return false;
        if (take('.') && !digits()) return false;
        if (take('e') || take('E')) {
            if (!take('-')) take('+');
            if (!digits()) return false;
        }
        return at - first <= longest_number;
    }

    /// Goes to the next byte that does not stand for itself in a string.
    void skip_plain() {
        for (; at < end; at += sizeof(Sixteen)) {
            const auto bytes = load<Sixteen>(at);
            const auto special =
                reinterpret_cast<Sixteen>((bytes == '"') | (bytes == '\\') | (bytes < 0x20));
            if (const std::uint64_t bits = bits_of(special)) {
                at += __builtin_ctzll(bits);
                return;
            }
        }
    }

    /// From behind the opening quote to behind the closing one.
    bool skip_string() {
        for (std::uint32_t c;;) {
            skip_plain();
            if (at >= end) return false;
            if (take('"')) return true;
            if (!take('\\') || !escaped(c)) return false;
        }
    }

    bool text() {
        skip_space();
        if (found || !take('"')) return false;
        found = true;
        for (std::uint32_t c;;) {
            const char* const plain = at;
            skip_plain();
            if (at >= end) return false;
            const auto size = static_cast<std::size_t>(at - plain);
            std::memcpy(texts->room(size + longest_character), plain, size);
            texts->commit(size);
            if (take('"')) return true;
            if (!take('\\') || !escaped(c)) return false;
            char* const to = reinterpret_cast<char*>(texts->room(longest_character));
            texts->commit(put_utf8(to, c));
        }
    }
    static constexpr std::size_t longest_character = 4;

    /// The character that an escape stands for.
    bool escaped(std::uint32_t& c) {
        if (at == end) return false;
        constexpr std::string_view names = "\"\\/bfnrt", values = "\"\\/\b\f\n\r\t";
        const char kind = *at++;
        if (kind == 'u') return escaped_number(c);
        const std::size_t place = names.find(kind);
        if (place == names.npos) return false;
        c = static_cast<unsigned char>(values[place]);
        return true;
    }
    bool escaped_number(std::uint32_t& c) {
        if (!four_digits(c)) return false;
        if (c < 0xD800 || c > 0xDFFF) return true;
        std::uint32_t low;
        if (c > 0xDBFF || !take("\\u") || !four_digits(low) || low < 0xDC00 || low > 0xDFFF)
            return false;
        c = 0x10000 + ((c - 0xD800) << 10 | (low - 0xDC00));
        return true;
    }
    bool four_digits(std::uint32_t& c) {
        c = 0;
        if (end - at < 4) return false;
        for (const char* const last = at + 4; at < last; ++at) {
            const char lower = static_cast<char>(*at | 0x20);
            const bool decimal = '0' <= *at && *at <= '9';
            if (!decimal && !('a' <= lower && lower <= 'f')) return false;
            c = c << 4 | static_cast<std::uint32_t>(decimal ? *at - '0' : lower - 'a' + 10);
        }
        return true;
    }

    std::string wanted;
    const char *at = nullptr, *end = nullptr;
    Buffer<std::uint8_t>* texts = nullptr;
    bool found = false;
};

/// Reads text whose last byte is a newline; `slack` bytes of memory must follow it. `lines` counts
/// on from one call to the next.
inline JsonTexts read_json_texts(JsonMember& member, const char* text, const char* text_end,
                                 std::int64_t& lines) {
    JsonTexts read;
    const auto place = [&](const char* p) { return static_cast<std::int64_t>(p - text); };
    read.data.room(static_cast<std::size_t>(text_end - text));
    for (const char *begin = text, *end; begin < text_end; begin = end) {
        const auto left = static_cast<std::size_t>(text_end - begin);
        end = static_cast<const char*>(std::memchr(begin, '\n', left)) + 1;
        ++lines;
        if (skip_blanks(begin, end - 1) == end - 1) continue;
        if (!member.read(begin, end - 1, read.data))
            read.doubtful.push(static_cast<std::int64_t>(read.begins.size()));
        read.begins.push(place(begin));
        read.ends.push(place(end));
        read.lines.push(lines);
        read.text_ends.push(static_cast<std::int64_t>(read.data.size()));
    }
    return read;
}

}  // namespace rosenblatt
