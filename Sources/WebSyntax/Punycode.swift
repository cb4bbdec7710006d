internal import ByteCodings

/// The encoding of `xn--` labels (RFC 3492), only as far as needed to check that a label is valid.
enum Punycode {
  /// Whether a label, given without its `xn--`, decodes to a name with characters outside ASCII.
  static func isDecodable(_ label: ArraySlice<UInt8>) -> Bool {
    let mark = label.lastIndex(of: UInt8(ascii: "-"))
    var rest = mark.map { label[($0 + 1)...] } ?? label
    var count = mark.map { $0 - label.startIndex } ?? 0
    guard !rest.isEmpty else { return false }
    var code = 128
    var index = 0
    var bias = 72
    var isFirst = true
    while !rest.isEmpty {
      guard let delta = takeDelta(from: &rest, bias: bias) else { return false }
      let (sum, overflow) = index.addingReportingOverflow(delta)
      guard !overflow else { return false }
      count += 1
      bias = adapted(delta, count: count, first: isFirst)
      isFirst = false
      code += sum / count
      index = sum % count + 1
      guard code <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(code)), mayStand(scalar) else { return false }
    }
    return true
  }

  /// Whether a scalar stays unchanged when a host name is mapped to its canonical spelling (UTS 46).
  ///
  /// If a scalar could change, one host could have two spellings.
  private static func mayStand(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{DF}", "\u{3C2}", "\u{200C}", "\u{200D}": true
    default: isGraphic(scalar) && !scalar.properties.changesWhenNFKCCaseFolded
    }
  }

  private static func isGraphic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .unassigned, .privateUse, .surrogate, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// Reads one generalised variable-length integer; nil when it is malformed.
  private static func takeDelta(from text: inout ArraySlice<UInt8>, bias: Int) -> Int? {
    var delta = 0
    var weight = 1
    var position = 36
    while let byte = text.popFirst() {
      let digit: Int
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = Int(byte - UInt8(ascii: "a"))
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = Int(byte - UInt8(ascii: "0")) + 26
      default: return nil
      }
      delta += digit * weight
      let threshold = min(max(position - bias, 1), 26)
      if digit < threshold { return delta }
      weight *= 36 - threshold
      position += 36
      guard weight < 1 << 40, delta < 1 << 40 else { return nil }
    }
    return nil
  }

  private static func adapted(_ delta: Int, count: Int, first: Bool) -> Int {
    var rest = first ? delta / 700 : delta / 2
    rest += rest / count
    var bias = 0
    while rest > 455 {
      rest /= 35
      bias += 36
    }
    return bias + 36 * rest / (rest + 38)
  }
}
