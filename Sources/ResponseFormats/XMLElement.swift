internal import JSONSyntax

/// An open XML element, with the JSON of its content so far.
final class XMLElement {
  /// The element's name in JSON.
  let name: String
  /// The element's path from its record; nil outside of records, and if the flow declares no lists.
  let path: [String]?
  private(set) var text: [UInt8] = []
  private var members: [(name: String, values: [[UInt8]], isList: Bool)] = []
  private var indices: [String: Int] = [:]
  private var isNil = false

  init(_ name: String, path: [String]? = nil) {
    self.name = name
    self.path = path
  }

  /// The names of child elements that occur several times.
  var repeatedNames: [String] { members.filter { $0.values.count > 1 && !$0.name.hasPrefix("@") }.map(\.name) }

  func append(_ bytes: UnsafeBufferPointer<UInt8>) { text.append(contentsOf: bytes) }

  /// Marks an element as having no value, because of `xsi:nil`.
  func markNil() { isNil = true }

  func add(_ name: String, _ value: [UInt8], isList: Bool = false) {
    if let index = indices[name] { return members[index].values.append(value) }
    indices[name] = members.count
    members.append((name, [value], isList))
  }

  /// The value: a text, null without content, or an object of the attributes and child elements.
  var json: [UInt8] {
    let out = ByteBuffer(capacity: 256)
    let text = trimmedText
    if members.isEmpty {
      if text.isEmpty || isNil { return Array("null".utf8) }
      text.withUnsafeBufferPointer { EscapedText.quote($0, into: out) }
      return out.copy()
    }
    out.append(UInt8(ascii: "{"))
    appendMembers(to: out)
    out.append(UInt8(ascii: "}"))
    return out.copy()
  }

  /// Appends the members of the object, separated by commas.
  ///
  /// - Parameter isContinued: whether a comma must be before the first member
  func appendMembers(to out: ByteBuffer, isContinued: Bool = false) {
    var isFirst = !isContinued
    func separate() {
      if !isFirst { out.append(UInt8(ascii: ",")) }
      isFirst = false
    }
    for member in members {
      separate()
      out.append(quoted: member.name)
      out.append(UInt8(ascii: ":"))
      guard member.values.count > 1 || member.isList else {
        out.append(member.values[0])
        continue
      }
      for (index, value) in member.values.enumerated() {
        out.append(index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
        out.append(value)
      }
      out.append(UInt8(ascii: "]"))
    }
    let text = trimmedText
    guard !text.isEmpty else { return }
    separate()
    out.append("\"#text\":")
    text.withUnsafeBufferPointer { EscapedText.quote($0, into: out) }
  }

  private var trimmedText: ArraySlice<UInt8> {
    guard let first = text.firstIndex(where: { !Self.isSpace($0) }),
      let last = text.lastIndex(where: { !Self.isSpace($0) })
    else { return [] }
    return text[first...last]
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
