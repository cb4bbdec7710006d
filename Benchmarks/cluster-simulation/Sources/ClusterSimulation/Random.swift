import Glibc

/// A random generator with a seed (SplitMix64).
struct Random {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// A number from 0 to below 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number above 0, up to 1.
  mutating func positive() -> Double { 1 - unit() }

  /// A number with a normal distribution around 0 (Box and Muller).
  mutating func normal(deviation: Double) -> Double {
    deviation * sqrt(-2 * log(positive())) * cos(2 * Double.pi * unit())
  }

  /// A duration after which something happens that happens at a rate for each second.
  mutating func time(rate: Double) -> Duration { .seconds(-log(positive()) / rate) }
}

extension Double {
  func power(of exponent: Double) -> Double { pow(self, exponent) }
  var exponential: Double { exp(self) }
}

extension Duration {
  /// The number of seconds.
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
