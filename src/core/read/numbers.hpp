// Numbers read from text: every decimal to the nearest double, the common ones without a loop.
#pragma once

#include <locale.h>
#include <stdlib.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/unaligned.hpp"

namespace rosenblatt {

static_assert(std::endian::native == std::endian::little, "digits are read eight at a time");

/// Bytes beyond the text that may be looked at, whatever they hold.
inline constexpr std::size_t slack = 32;

struct Digits {
    std::uint64_t value;
    int count;
};

/// The digits at p, up to eight of them, read as one number.
[[gnu::always_inline]] inline Digits digits_at(const char* p) {
    auto digits = load<std::uint64_t>(p);
    digits ^= 0x3030303030303030;  // a digit is now a byte of at most nine
    const std::uint64_t others = ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
    const int bits = std::countr_zero(others) & ~7;
    if (bits == 0) return {0, 0};
    digits <<= 64 - bits;  // those that follow drop out, zeros come in front
    digits = digits * 2561 >> 8;
    digits = (digits & 0x00ff00ff00ff00ff) * 6553601 >> 16;
    digits = (digits & 0x0000ffff0000ffff) * 42949672960001 >> 32;
    return {digits, bits / 8};
}

/// The digit at p, where what follows is not a digit.
[[gnu::always_inline]] inline Digits digit_at(const char* p) {
    const auto digit = static_cast<unsigned char>(*p - '0');
    return digit <= 9 ? Digits{digit, 1} : Digits{0, 0};
}

/// 10^0 ... 10^22, all that doubles hold exactly.
inline constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::uint64_t whole_powers_of_ten[] = {1,      10,      100,      1000,     10000,
                                                        100000, 1000000, 10000000, 100000000};

__extension__ using Wide = unsigned __int128;

/// A power of ten, cut off after 128 binary digits, the first of which is one. Times 2^exponent it
/// is the power times 2^65.
struct CutPower {
    std::uint64_t high, low;
    int exponent;
};

constexpr CutPower cut_power(int power) {
    Wide five = 1;
    for (int k = power < 0 ? -power : power; k > 0; --k) five *= 5;
    Wide cut = 0;
    int order = 0;  // the binary logarithm of 5^power, rounded down
    if (power >= 0) {
        order = 127;
        for (cut = five; cut >> 127 == 0; cut <<= 1) --order;
    } else {
        Wide left = 1;
        for (; left < five; left <<= 1) --order;
        for (int k = 0; k < 128; ++k) {
            cut = cut << 1 | (left >= five);
            left = (left >= five ? left - five : left) << 1;
        }
    }
    return {static_cast<std::uint64_t>(cut >> 64), static_cast<std::uint64_t>(cut),
            order + power + 2};
}

inline constexpr int lowest_power = -50, highest_power = 22;
inline constexpr auto cut_powers = [] {
    std::array<CutPower, highest_power - lowest_power + 1> powers{};
    for (int power = lowest_power; power <= highest_power; ++power)
        powers[static_cast<std::size_t>(power - lowest_power)] = cut_power(power);
    return powers;
}();

/// Works out digits * 10^power to the nearest double, for digits other than zero; says whether it
/// could.
///
/// Lemire (2021): the first 64 bits of the product with a power that was cut off are right, and
/// something follows them, unless the bits that follow are all ones or all zeros. Then there can be
/// no tie, and one more bit that is set stands for all that follows.
[[gnu::always_inline]] inline bool scale(std::uint64_t digits, int power, double& value) {
    const CutPower& ten = cut_powers[static_cast<std::size_t>(power - lowest_power)];
    const int zeros = std::countl_zero(digits);
    const Wide shifted = digits << zeros;
    const Wide product = shifted * ten.high + (shifted * ten.low >> 64);
    const auto following = static_cast<std::uint64_t>(product);
    if (following + 2 <= 2) return false;  // the cut may make a difference of up to two
    const auto first = static_cast<std::int64_t>(product >> 65) | 1;
    const auto exponent = static_cast<std::uint64_t>(1023 + ten.exponent - zeros);
    value = static_cast<double>(first) * std::bit_cast<double>(exponent << 52);
    return true;
}

/// Reads any number as Python's float does, but for underscores; returns its end, or null.
///
/// With the C library's function, which finds the nearest double on every system and gives
/// infinity or zero beyond their range. It is shown nothing but signs, digits, points and the
/// letters of "infinity", "nan" and exponents: no blanks, and no x, which would begin a number to
/// the base sixteen.
inline const char* read_any_number(const char* p, const char* end, double& value) {
    static const locale_t with_points = newlocale(LC_ALL_MASK, "C", nullptr);
    if (p < end && *p == '+' && ++p < end && (*p == '+' || *p == '-')) return nullptr;
    constexpr std::string_view used = "0123456789+-.eEiInNfFtTyYaA";
    const std::string_view text(p, static_cast<std::size_t>(end - p));
    const std::string number(text.substr(0, text.find_first_not_of(used)));
    char* stop;
    value = strtod_l(number.c_str(), &stop, with_points);
    return stop == number.c_str() ? nullptr : p + (stop - number.c_str());
}

/// Reads the number at p and returns its end, or null if there is none. The text goes on to `end`,
/// the memory `slack` bytes further.
///
/// Clinger (1990): if digits and power of ten are doubles exactly, their product or quotient is
/// the nearest double. Up to 19 digits are scaled; other decimals take the long way.
[[gnu::always_inline]] inline const char* read_number(const char* p, const char* end,
                                                      double& value) {
    const char* const start = p;
    const bool negative = *p == '-';
    p += negative || *p == '+';
    // Most numbers begin with a single digit; a branch on that is foreseen, a length is waited for.
    const Digits whole = p[1] < '0' ? digit_at(p) : digits_at(p);
    p += whole.count;
    std::uint64_t digits = whole.value;
    int count = whole.count, power = 0;
    if (*p == '.') {
        const Digits first = digits_at(++p);
        if (first.count < 8) {
            p += first.count;
            digits = digits * whole_powers_of_ten[first.count] + first.value;
            power = -first.count;
        } else {
            const Digits second = digits_at(p += 8);
            if (second.count < 8) {
                p += second.count;
                digits = (digits * 100000000 + first.value) * whole_powers_of_ten[second.count] +
                         second.value;
                power = -8 - second.count;
            } else {
                const Digits third = digits_at(p += 8);
                p += third.count;
                digits = (digits * 10000000000000000 + first.value * 100000000 + second.value) *
                             whole_powers_of_ten[third.count] +
                         third.value;
                power = -16 - third.count;
            }
        }
        count -= power;
    }
    if ((*p | 0x20) == 'e') {
        const bool down = p[1] == '-';
        const Digits exponent = digits_at(p + 1 + (down || p[1] == '+'));
        if (exponent.count == 0 || exponent.count > 3) return read_any_number(start, end, value);
        p += 1 + (down || p[1] == '+') + exponent.count;
        power += down ? -static_cast<int>(exponent.value) : static_cast<int>(exponent.value);
    }
    constexpr int most_digits = 19;  // an integer of 64 bits holds them
    const int zeros = whole.value == 0 ? whole.count : 0;
    if (count == 0 || whole.count == 8 || count - zeros > most_digits)
        return read_any_number(start, end, value);
    double size;
    if (digits <= 1ULL << 53 && -22 <= power && power <= 22) {
        const double exact = static_cast<double>(digits);
        size = power < 0 ? exact / powers_of_ten[-power] : exact * powers_of_ten[power];
    } else if (digits == 0 || power < lowest_power || power > highest_power ||
               !scale(digits, power, size)) {
        return read_any_number(start, end, value);
    }
    value = negative ? -size : size;
    return p;
}

}  // namespace rosenblatt
