internal import ByteCodings

extension CredentialText {
  /// The range of a credential in a text, and the name in front of it, such as `password`.
  struct Place {
    let name: String
    let range: Range<String.Index>
  }

  /// Finds the credentials that are written out in a text with their names: `"password": "…"`, `password=…`,
  /// `<password>…</password>` and `https://me:…@host`. Variables in braces do not end a value.
  ///
  /// Time is linear in the size of the text.
  static func places(in text: String) -> [Place] {
    var reader = PlaceReader(bytes: Array(text.utf8))
    reader.read()
    return reader.found.compactMap { name, range in
      let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
      let end = text.utf8.index(start, offsetBy: range.count)
      let value = text[start..<end]
      // A value whose braces are not closed in it is only a part of a value.
      guard value.ranges(of: "{{").count == value.ranges(of: "}}").count,
        value.ranges(of: "{%").count == value.ranges(of: "%}").count
      else { return nil }
      return Place(name: name, range: start..<end)
    }
  }

  /// Finds credentials in the bytes of a text in one pass.
  private struct PlaceReader {
    /// The maximum length of a variable in braces.
    private static let longestVariable = 200

    let bytes: [UInt8]
    private(set) var found: [(name: String, range: Range<Int>)] = []
    private var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private func byte(_ index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

    private func isName(_ index: Int) -> Bool {
      byte(index).map { ASCII.isLetter($0) || ASCII.isDigit($0) || "_-".utf8.contains($0) } ?? false
    }

    private func has(_ text: String, at index: Int) -> Bool {
      bytes[min(index, bytes.count)...].starts(with: text.utf8)
    }

    mutating func read() {
      while index < bytes.count {
        if isName(index) {
          name()
        } else if has("://", at: index) {
          index += 3
          userInformation()
        } else {
          index += 1
        }
      }
    }

    private mutating func name() {
      let start = index
      while isName(index) { index += 1 }
      guard index - start <= 64 else { return }
      let range = isElement(start) ? content() : value()
      guard let range, !range.isEmpty else { return }
      let name = String(decoding: bytes[start..<index], as: UTF8.self)
      guard RequestTranslator.isCredential(name) else { return }
      found.append((name, range))
      index = range.upperBound
    }

    // MARK: - XML

    /// Whether the name at an index is the name of an XML element; it may have a prefix, such as `wsse:`.
    private func isElement(_ start: Int) -> Bool {
      var before = start - 1
      if byte(before) == UInt8(ascii: ":") {
        before -= 1
        while isName(before) { before -= 1 }
      }
      return byte(before) == UInt8(ascii: "<")
    }

    /// The text between the tags of an element.
    private func content() -> Range<Int>? {
      var start = index
      while let byte = byte(start), byte != UInt8(ascii: ">") {
        guard byte != UInt8(ascii: "<") else { return nil }
        start += 1
      }
      guard byte(start) != nil, byte(start - 1) != UInt8(ascii: "/") else { return nil }
      start += 1
      var end = start
      while let byte = byte(end), byte != UInt8(ascii: "<") { end += 1 }
      return trimmed(start..<end)
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
      var (start, end) = (range.lowerBound, range.upperBound)
      while start < end, bytes[start] <= 0x20 { start += 1 }
      while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
      return start..<end
    }

    // MARK: - Pairs

    /// The value after a name: in quotes, or after `=` up to the end of the pair.
    private func value() -> Range<Int>? {
      var next = index
      // A name in quotes. In JSON inside of JSON, a backslash precedes each quote.
      if byte(next) == UInt8(ascii: "\\") { next += 1 }
      if isQuote(next) { next += 1 }
      let isBare = next == index
      while byte(next) == 0x20 { next += 1 }
      guard let mark = byte(next), "=:".utf8.contains(mark), byte(next + 1) != mark else { return nil }
      let hasSpace = byte(next - 1) == 0x20 || byte(next + 1) == 0x20
      next += 1
      while let byte = byte(next), byte <= 0x20 { next += 1 }
      let isEscaped = byte(next) == UInt8(ascii: "\\")
      if isQuote(isEscaped ? next + 1 : next) { return quoted(isEscaped ? next + 1 : next, isEscaped) }
      // `password={{x}}`, `"password": {{x}}` and `password=x`; text without quotes after a colon is usually a type.
      guard has("{{", at: next) || mark == UInt8(ascii: "=") && isBare && !hasSpace else { return nil }
      return next..<end(ofBare: next)
    }

    private func isQuote(_ index: Int) -> Bool { byte(index).map { "\"'".utf8.contains($0) } ?? false }

    /// The range of a value in quotes; nil if the closing quote is missing.
    private func quoted(_ open: Int, _ isEscaped: Bool) -> Range<Int>? {
      var end = open + 1
      while let byte = byte(end) {
        if byte == UInt8(ascii: "\\") {
          if isEscaped, self.byte(end + 1) == bytes[open] { return open + 1..<end }
          end += 2
        } else if byte == bytes[open] {
          return open + 1..<end
        } else {
          end += 1
        }
      }
      return nil
    }

    private func end(ofBare start: Int) -> Int {
      var end = start
      while let byte = byte(end), byte > 0x20, !"&\"'<>;,)}".utf8.contains(byte) {
        end = variable(at: end) ?? end + 1
      }
      return end
    }

    /// The end of a variable in braces that begins at an index; nil if none begins there.
    private func variable(at start: Int) -> Int? {
      guard has("{{", at: start) || has("{%", at: start) else { return nil }
      let close = has("{{", at: start) ? "}}" : "%}"
      for end in start + 2..<min(start + Self.longestVariable, bytes.count) where has(close, at: end) { return end + 2 }
      return nil
    }

    // MARK: - URLs

    /// The password in the user information of a URL (RFC 3986, section 3.2.1).
    private mutating func userInformation() {
      var (end, colon) = (index, Int?.none)
      while let byte = byte(end), byte > 0x20, !"/?#\"'<>@".utf8.contains(byte) {
        if byte == UInt8(ascii: ":"), colon == nil { colon = end }
        end = variable(at: end) ?? end + 1
      }
      guard byte(end) == UInt8(ascii: "@"), let colon, colon + 1 < end else { return }
      found.append(("password", colon + 1..<end))
      index = end
    }
  }
}
