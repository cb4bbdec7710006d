internal import JSONSyntax

/// The headers of a zip archive (APPNOTE 6.3.10).
enum ZipHeader {
  /// A kind of header, by its signature.
  enum Kind: UInt32 {
    /// The header before a member's content.
    case member = 0x0403_4B50
    /// A member's entry in the directory.
    case entry = 0x0201_4B50
    /// The end of the directory of a large archive (Zip64).
    case largeEnd = 0x0606_4B50
    case locator = 0x0706_4B50
    /// The end of the directory.
    case end = 0x0605_4B50

    /// The length without the parts of variable length, in bytes.
    var fixedLength: Int {
      switch self {
      case .member: 30
      case .entry: 46
      case .largeEnd: 56
      case .locator: 20
      case .end: 22
      }
    }

    /// The whole length of a header whose fixed part has arrived.
    func length(_ header: ByteBuffer) -> Int {
      func part(_ offset: Int) -> Int { Int(header.number(offset) as UInt16) }
      return switch self {
      case .member: fixedLength + part(26) + part(28)
      case .entry: fixedLength + part(28) + part(30) + part(32)
      case .end: fixedLength + part(20)
      case .largeEnd, .locator: fixedLength
      }
    }
  }

  /// The header before a member's content.
  struct Member {
    let name: String
    let method: UInt16
    let isEncrypted: Bool
    /// Whether checksum and sizes follow the content.
    let hasDescriptor: Bool
    /// Whether sizes have 64 bits.
    let isLarge: Bool
    /// The number of bytes in the archive; nil when it follows the content.
    let compressedSize: UInt64?
    var checksum: UInt32
    /// The number of unpacked bytes; nil when it follows the content.
    var size: UInt64?

    var isFolder: Bool { name.hasSuffix("/") }

    init(_ header: ByteBuffer) {
      let flags: UInt16 = header.number(6)
      isEncrypted = flags & 1 != 0
      hasDescriptor = flags & 8 != 0
      method = header.number(8)
      checksum = header.number(14)
      var sizes = (packed: UInt64(header.number(18) as UInt32), whole: UInt64(header.number(22) as UInt32))
      let nameLength = Int(header.number(26) as UInt16)
      name = String(decoding: header.bytes[30..<(30 + nameLength)], as: UTF8.self)
      var isLarge = false
      var offset = 30 + nameLength
      while offset + 4 <= header.count {
        let (tag, length): (UInt16, UInt16) = (header.number(offset), header.number(offset + 2))
        if tag == 1 {
          isLarge = true
          if length >= 16, offset + 20 <= header.count {
            if sizes.whole == UInt32.max { sizes.whole = header.number(offset + 4) }
            if sizes.packed == UInt32.max { sizes.packed = header.number(offset + 12) }
          }
        }
        offset += 4 + Int(length)
      }
      self.isLarge = isLarge
      compressedSize = hasDescriptor ? nil : sizes.packed
      size = hasDescriptor ? nil : sizes.whole
    }
  }
}

extension ByteBuffer {
  /// The number at an offset, in little endian; bytes after the end are 0.
  func number<Number: FixedWidthInteger & UnsignedInteger>(_ offset: Int) -> Number {
    var number: Number = 0
    for index in (0..<(Number.bitWidth / 8)).reversed() {
      number = number << 8 | Number(offset + index < count ? bytes[offset + index] : 0)
    }
    return number
  }
}

/// A pattern of member names: `*` stands for any characters but `/`, `?` for one such character.
///
/// A pattern without `/` is compared with the last part of the name.
struct MemberPattern {
  private let pattern: [UInt8]
  private let hasFolder: Bool

  init(_ text: String) {
    pattern = Array(text.utf8.drop { $0 == UInt8(ascii: "/") })
    hasFolder = text.contains("/")
  }

  func matches(_ name: String) -> Bool {
    let name = Array(name.utf8)
    return matches(hasFolder ? name[...] : name[((name.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...])
  }

  private func matches(_ name: ArraySlice<UInt8>) -> Bool {
    var (p, n) = (0, name.startIndex)
    /// Where to continue after the last `*` matches one more character.
    var retry: (pattern: Int, name: Int)?
    while n < name.endIndex {
      if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
        p += 1
        retry = (p, n)
      } else if p < pattern.count,
        pattern[p] == name[n] || (pattern[p] == UInt8(ascii: "?") && name[n] != UInt8(ascii: "/"))
      {
        p += 1
        n += 1
      } else if let last = retry, name[last.name] != UInt8(ascii: "/") {
        retry = (last.pattern, last.name + 1)
        (p, n) = (last.pattern, last.name + 1)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
