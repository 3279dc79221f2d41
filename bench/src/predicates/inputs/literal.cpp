// Units of length as types: the unit of a number is written behind it, as in 12_km.
// Needs a compiler that knows literals of packs of characters.

#include <cstddef>

namespace lengths {

template <char... Digits>
struct Text {
  static constexpr std::size_t size = sizeof...(Digits);
};

template <char... Digits>
constexpr Text<Digits...> operator""_text() {
  return Text<Digits...>{};
}

template <class Unit>
struct Length {
  double amount;
};

template <class Unit = decltype(12345_text), class Number>
double metres(Number number) {
  return number * 1.0;
}

template <int Scale>
double shown() {
  auto one = metres(7);
  return one * Scale;
}

}  // namespace lengths

int main() {
  double sum = lengths::shown<1>() + lengths::shown<1000>();
  return sum > 0 ? 0 : 1;
}
