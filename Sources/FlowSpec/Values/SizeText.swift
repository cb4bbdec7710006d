/// Reads sizes: bytes (`4096`) or a number with a unit (`500kB`, `32MiB`, `2GiB`).
public enum SizeText {
  private static let expected = "a size such as 500kB, 32MiB or 2GiB"

  /// The size in bytes, at least 1.
  public static func bytes(in text: String) throws(ValueError) -> Int {
    let all = Array(text.utf8)
    let digits = all.prefix(while: ASCII.isDigit)
    let number = String(decoding: digits, as: UTF8.self)
    let unit = String(decoding: all.dropFirst(digits.count), as: UTF8.self)
    guard !digits.isEmpty, digits.count == 1 || digits.first != UInt8(ascii: "0") else {
      throw ValueError(expected: expected)
    }
    guard let factor = factor(of: unit) else {
      let meant = units.first { Self.folded($0.name) == Self.folded(unit) }
      throw ValueError(
        expected: expected, detail: "'\(unit)' is not a unit; units are B, kB, MB, GB, KiB, MiB and GiB",
        suggestion: meant.map { number + $0.name })
    }
    guard let count = Int(number) else { throw ValueError(expected: expected, detail: "it is too large") }
    let (size, overflow) = count.multipliedReportingOverflow(by: factor)
    guard !overflow, size <= 1 << 50 else { throw ValueError(expected: expected, detail: "it is too large") }
    guard size >= 1 else { throw ValueError(expected: expected, detail: "it must be at least one byte") }
    return size
  }

  private static let units: [(name: String, bytes: Int)] = [
    ("B", 1), ("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000),
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30),
  ]

  private static func factor(of unit: String) -> Int? {
    unit.isEmpty ? 1 : units.first { $0.name == unit }?.bytes
  }

  /// `32 mib`, `32M`, `32Mi` are close enough to say what was meant.
  private static func folded(_ unit: String) -> String {
    let plain = unit.lowercased().filter { $0 != " " }
    return plain.hasSuffix("b") || plain.isEmpty ? plain : plain + "b"
  }
}
