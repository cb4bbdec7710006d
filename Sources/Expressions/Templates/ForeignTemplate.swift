/// A template in the notation of another program, or with a missing brace, in text that would be sent unchanged.
///
/// It finds parts that the author probably did not mean as plain text: `${NAME}` and `#{NAME}`, `${{ … }}`,
/// `{ vars.NAME }`, `%(NAME)s`, `{% … %}`, `<% … %>`; in texts of one line also `$NAME`, `$(NAME)` and `%NAME%` with a
/// name in capitals.
package struct ForeignTemplate {
  /// The byte range of the template in the text.
  package var offsets: Range<Int>
  /// The content: a name, or a lookup with its root; nil for statements.
  package var content: String?

  /// The first foreign template in a text; nil if there is none.
  ///
  /// - Parameters:
  ///   - roots: the names that templates may use.
  ///   - isLine: whether the text is a header, a parameter or another text of one line, and not a body.
  package static func first(in text: String, roots: Set<String>, isLine: Bool) -> ForeignTemplate? {
    guard text.utf8.contains(where: { "${%<#".utf8.contains($0) }) else { return nil }
    let bytes = Array(text.utf8)
    let scan = Scan(bytes: bytes, roots: roots, isLine: isLine)
    var index = 0
    while index < bytes.count {
      if let found = scan.template(at: index) { return found }
      index = scan.next(after: index)
    }
    return nil
  }

  /// Returns the template with foreign templates escaped, so that they are sent as plain text.
  package static func escaped(_ template: String) -> String {
    var result = template
    // Any of these may be a valid root at the position of the text.
    let roots: Set = ["vars", "secrets", "env", "config", "record", "source", "parent", "response", "page", "cursor"]
    while let found = first(in: result, roots: roots, isLine: true) {
      let bytes = Array(result.utf8)
      let start = found.offsets.lowerBound
      result =
        String(decoding: bytes[..<start], as: UTF8.self) + "{{ \"\(UnicodeScalar(bytes[start]))\" }}"
        + String(decoding: bytes[(start + 1)...], as: UTF8.self)
    }
    return result
  }

  private struct Scan {
    let bytes: [UInt8]
    let roots: Set<String>
    let isLine: Bool

    /// The index after the byte at an index, or after a template of the flow language that starts there.
    func next(after index: Int) -> Int {
      guard starts("{{", at: index) else { return index + 1 }
      return Expression.end(of: bytes, from: index + 2).map { $0 + 2 } ?? bytes.count
    }

    func template(at index: Int) -> ForeignTemplate? {
      switch bytes[index] {
      case UInt8(ascii: "$"):
        if starts("${{", at: index) { return ForeignTemplate(offsets: index..<index + 1) }
        if starts("${", at: index) { return braced(index, "${") }
        guard isLine else { return nil }
        return starts("$(", at: index) ? capitals(index, open: "$(", close: ")") : capitals(index, open: "$", close: "")
      case UInt8(ascii: "#"): return starts("#{", at: index) ? braced(index, "#{") : nil
      case UInt8(ascii: "{"):
        if starts("{%", at: index) { return statement(index, end: "%}") }
        return starts("{{", at: index) ? nil : lookup(index)
      case UInt8(ascii: "<"): return starts("<%", at: index) ? statement(index, end: "%>") : nil
      case UInt8(ascii: "%"):
        if starts("%(", at: index) { return formatted(index) }
        return isLine ? capitals(index, open: "%", close: "%", needsUnderscore: true) : nil
      default: return nil
      }
    }

    /// `${NAME}` and `${NAME:-default}`.
    private func braced(_ start: Int, _ open: String) -> ForeignTemplate? {
      let name = self.name(from: start + open.utf8.count)
      guard !name.isEmpty, let end = bytes[name.upperBound...].firstIndex(of: UInt8(ascii: "}")) else { return nil }
      return ForeignTemplate(offsets: start..<end + 1, content: text(name))
    }

    /// `{ root.name }`
    private func lookup(_ start: Int) -> ForeignTemplate? {
      let root = name(from: skipSpace(start + 1))
      guard roots.contains(text(root)), root.upperBound < bytes.count, bytes[root.upperBound] == UInt8(ascii: "."),
        let end = bytes[root.upperBound...].firstIndex(where: { !isLookupByte($0) }), end > root.upperBound + 1
      else { return nil }
      let close = skipSpace(end)
      guard close < bytes.count, bytes[close] == UInt8(ascii: "}") else { return nil }
      return ForeignTemplate(offsets: start..<close + 1, content: text(root.lowerBound..<end))
    }

    /// `%(NAME)s`
    private func formatted(_ start: Int) -> ForeignTemplate? {
      let name = self.name(from: start + 2)
      let end = name.upperBound
      guard !name.isEmpty, starts(")s", at: end) || starts(")d", at: end) else { return nil }
      return ForeignTemplate(offsets: start..<end + 2, content: text(name))
    }

    private func statement(_ start: Int, end: String) -> ForeignTemplate? {
      var index = start + 2
      while index < bytes.count, !starts(end, at: index) { index += 1 }
      return index < bytes.count ? ForeignTemplate(offsets: start..<index + 2) : nil
    }

    /// A name in capitals between two signs.
    private func capitals(
      _ start: Int, open: String, close: String, needsUnderscore: Bool = false
    ) -> ForeignTemplate? {
      let name = self.name(from: start + open.utf8.count)
      let word = bytes[name]
      guard word.count >= 3, starts(close, at: name.upperBound), !word.contains(where: { $0 &- 0x61 <= 25 }),
        !needsUnderscore || word.contains(UInt8(ascii: "_")), start == 0 || !Lexer.isNameCharacter(bytes[start - 1])
      else { return nil }
      return ForeignTemplate(offsets: start..<name.upperBound + close.utf8.count, content: text(name))
    }

    private func name(from start: Int) -> Range<Int> {
      guard start < bytes.count, Lexer.isNameStart(bytes[start]) else { return start..<start }
      var end = start
      while end < bytes.count, Lexer.isNameCharacter(bytes[end]) { end += 1 }
      return start..<end
    }

    private func isLookupByte(_ byte: UInt8) -> Bool {
      Lexer.isNameCharacter(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    private func skipSpace(_ start: Int) -> Int {
      var index = start
      while index < bytes.count, bytes[index] == UInt8(ascii: " ") { index += 1 }
      return index
    }

    private func starts(_ text: String, at index: Int) -> Bool {
      index <= bytes.count && bytes[index...].starts(with: text.utf8)
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
  }
}
