internal import ByteCodings

/// Texts that nobody can guess.
enum RandomText {
  /// Returns random bytes of the system in hexadecimal digits.
  ///
  /// - Parameter bytes: the number of bytes, a multiple of 8
  static func hex(bytes: Int) -> String {
    Hex.text((0..<bytes / 8).flatMap { _ in withUnsafeBytes(of: UInt64.random(in: .min ... .max)) { Array($0) } })
  }
}
