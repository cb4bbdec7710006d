extension Expression {
  /// A name with hyphens, such as `order.order-status`, which the grammar reads as a subtraction.
  public struct HyphenatedName: Sendable, Hashable {
    /// The bytes of the whole lookup in the expression's text.
    public var range: Range<Int>
    /// The lookup in front of the name, `order`; nil if there is none.
    public var target: String?
    /// The name, `order-status`.
    public var name: String

    /// The text of the error message: how the name is parsed.
    public var message: String {
      let written = (target.map { "\($0)." } ?? "") + name
      return "'\(written)' is read as a subtraction: names cannot contain '-'"
    }

    /// The help for the error: what to write instead of the name.
    public var help: String {
      target.map { "write a name with '-' in brackets: \($0)['\(name)']" }
        ?? "write it as a member, for example record['\(name)']; a subtraction has spaces around '-'"
    }
  }

  /// The name with hyphens that contains a lookup; nil if no `-` without spaces is in front of the lookup.
  ///
  /// ```swift
  /// let expression = try Expression(parsing: "order.order-status == 'new'")
  /// expression.hyphenatedName(at: expression.references[1].range) // 0..<18, order, order-status
  /// ```
  public func hyphenatedName(at lookup: Range<Int>) -> HyphenatedName? {
    let bytes = Array(text.utf8)
    func isPart(_ index: Int) -> Bool {
      bytes.indices.contains(index) && (Lexer.isNameCharacter(bytes[index]) || bytes[index] == UInt8(ascii: "-"))
    }
    let sign = lookup.lowerBound - 1
    guard isPart(sign), bytes[sign] == UInt8(ascii: "-"), isPart(sign - 1) else { return nil }
    var start = sign
    while isPart(start - 1) || start > 0 && bytes[start - 1] == UInt8(ascii: ".") { start -= 1 }
    var end = lookup.lowerBound
    while isPart(end) { end += 1 }
    let word = bytes[start..<end]
    guard let first = word.first, Lexer.isNameStart(first) else { return nil }
    let dot = word.lastIndex(of: UInt8(ascii: "."))
    let name = dot.map { bytes[($0 + 1)..<end] } ?? word
    guard let lead = name.first, Lexer.isNameStart(lead) else { return nil }
    return HyphenatedName(
      range: start..<end, target: dot.map { String(decoding: bytes[start..<$0], as: UTF8.self) },
      name: String(decoding: name, as: UTF8.self))
  }
}
