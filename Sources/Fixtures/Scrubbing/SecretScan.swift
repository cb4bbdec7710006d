internal import ByteCodings

/// Searches written files for secrets, with a different algorithm from that of the scrubber.
///
/// Packed data are unpacked first. The text is also decoded as percent-encoded, JSON-escaped, base64 and hexadecimal
/// text. Each result is searched for the plain values.
package struct SecretScan: Sendable {
  private let values: [(name: String, plain: ByteReplacer, forms: ByteReplacer)]

  /// Creates a scan for secrets by name. A secret of fewer than four bytes is not searched for.
  package init(_ secrets: [String: String]) {
    values = secrets.sorted { $0.key < $1.key }.compactMap { name, value in
      guard value.utf8.count >= SecretEncodings.shortest else { return nil }
      let plain = Self.lines(of: value)
      return (
        name, ByteReplacer(plain.map { .init(bytes: $0, replacement: [], isFolded: $0.count >= 8) }),
        ByteReplacer(
          SecretEncodings.all(of: value).map { .init(bytes: $0, replacement: [], isFolded: $0.count >= 8) })
      )
    }
  }

  /// Returns the names of the secrets that the bytes contain, in order.
  package func survivors(in bytes: [UInt8]) -> [String] {
    guard !values.isEmpty else { return [] }
    let packed = PackedContent(of: bytes).found
    guard !packed.isEmpty else { return plainSurvivors(in: bytes) }
    let found = Set(([bytes] + packed).flatMap { plainSurvivors(in: $0) })
    return values.map(\.name).filter { found.contains($0) }
  }

  private func plainSurvivors(in bytes: [UInt8]) -> [String] {
    let own = Self.withoutMarks(bytes)
    var readings = [own]
    if let text = Self.percentDecoded(own) {
      readings.append(text)
      if let twice = Self.percentDecoded(text) { readings.append(twice) }
    }
    if let text = Self.unescaped(own) { readings.append(text) }
    readings += Self.base64Runs(own)
    readings += Self.base64Runs(Self.withoutBreaks(own))
    readings += Self.hexRuns(own)
    return values.filter { value in
      value.forms.finds(in: own) || readings.contains { value.plain.finds(in: $0) }
    }.map(\.name)
  }

  private static func lines(of value: String) -> [[UInt8]] {
    let whole = Array(value.utf8)
    let lines = whole.split { $0 == 0x0A || $0 == 0x0D }.map(Array.init)
    return ([whole] + (lines.count > 1 ? lines : [])).filter { $0.count >= SecretEncodings.shortest }
  }

  /// Returns the bytes without secret marks.
  ///
  /// The value of a secret may be equal to its name, and the name in a mark is not a secret.
  private static func withoutMarks(_ bytes: [UInt8]) -> [UInt8] {
    let open = Array("{{secret:".utf8)
    guard bytes.firstRange(of: open) != nil else { return bytes }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == open[0], bytes[index...].starts(with: open),
        let end = bytes[index...].firstRange(of: Array("}}".utf8))
      {
        index = end.upperBound
        result += [0x20]
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func percentDecoded(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.contains(UInt8(ascii: "%")) else { return nil }
    return PercentCoding.decode(bytes[...])
  }

  /// Decodes the escapes of JSON, or of YAML in double quotes.
  private static func unescaped(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.contains(UInt8(ascii: "\\")) else { return nil }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
        result.append(bytes[index])
        index += 1
        continue
      }
      let next = bytes[index + 1]
      if next == UInt8(ascii: "u"), index + 5 < bytes.count,
        let unit = UInt32(String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(unit)
      {
        result += Array(String(scalar).utf8)
        index += 6
      } else {
        result.append(next == UInt8(ascii: "n") ? 0x0A : next == UInt8(ascii: "t") ? 0x09 : next)
        index += 2
      }
    }
    return result
  }

  private static func base64Runs(_ bytes: [UInt8]) -> [[UInt8]] {
    runs(bytes, isDigit: { sextet($0) != nil }).flatMap { run in
      (0..<4).compactMap { shift -> [UInt8]? in
        guard run.count - shift >= 6 else { return nil }
        var result: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for byte in run.dropFirst(shift) {
          buffer = (buffer << 6 | UInt32(sextet(byte) ?? 0)) & 0xFFFF
          bits += 6
          if bits >= 8 {
            bits -= 8
            result.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
          }
        }
        return result
      }
    }
  }

  private static func withoutBreaks(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let length = WrappedText.breakLength(bytes, at: index)
      if length == 0 { result.append(bytes[index]) }
      index += max(1, length)
    }
    return result
  }

  private static func hexRuns(_ bytes: [UInt8]) -> [[UInt8]] {
    runs(bytes, isDigit: { Hex.value($0) != nil }).flatMap { run in
      (0..<2).map { shift in
        let digits = Array(run.dropFirst(shift))
        return stride(from: 0, to: digits.count - 1, by: 2).map {
          (Hex.value(digits[$0]) ?? 0) << 4 | (Hex.value(digits[$0 + 1]) ?? 0)
        }
      }
    }
  }

  private static func runs(_ bytes: [UInt8], isDigit: (UInt8) -> Bool) -> [ArraySlice<UInt8>] {
    bytes.split { !isDigit($0) }.filter { $0.count >= 6 }
  }

  private static func sextet(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte + 4
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
