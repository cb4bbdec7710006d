/// Writes JSON (RFC 8259): members keep their order, numbers keep their text, only required escapes are used.
///
/// ```swift
/// let line = JSONWriter.bytes(value)  // {"a":[1,2]}
/// let page = JSONWriter.bytes(value, style: .pretty)  // two spaces for each level
/// ```
public struct JSONWriter: Sendable {
  /// The layout of the text.
  public enum Style: Sendable, Hashable {
    /// No white space.
    case compact
    /// One line for each element and member, two spaces for each level; empty lists and objects on one line.
    case pretty
  }

  /// The text of a value as UTF-8, without a line end.
  public static func bytes(_ value: JSONValue, style: Style = .compact) -> [UInt8] {
    var bytes: [UInt8] = []
    write(value, into: &bytes, style: style)
    return bytes
  }

  /// Appends the text of a value as UTF-8.
  public static func write(_ value: JSONValue, into bytes: inout [UInt8], style: Style = .compact) {
    write(value, into: &bytes, style: style, limit: .max)
  }

  /// Appends a string in quotes.
  public static func write(_ text: String, into bytes: inout [UInt8]) { write(text, into: &bytes, limit: .max) }

  /// An array or object that is being written, and the index of its next element or member.
  private enum Open {
    case array([JSONValue], next: Int)
    case object([JSONObject.Member], next: Int)
  }

  /// Writes a value; stops soon after the total length of `bytes` exceeds `limit`.
  ///
  /// The caller must remove the bytes after the limit.
  static func write(_ value: JSONValue, into bytes: inout [UInt8], style: Style, limit: Int) {
    // An explicit stack instead of recursion: a deeply nested value could exceed the thread's stack.
    var open: [Open] = []
    if let container = begin(value, into: &bytes, limit: limit) { open.append(container) }
    while let top = open.popLast() {
      switch top {
      case .array(let elements, var next):
        let inner = writeElements(elements, from: &next, level: open.count + 1, style, into: &bytes, limit: limit)
        if let inner {
          open.append(.array(elements, next: next))
          open.append(inner)
        } else {
          end("]", isEmpty: elements.isEmpty, level: open.count, style, into: &bytes)
        }
      case .object(let members, var next):
        let inner = writeMembers(members, from: &next, level: open.count + 1, style, into: &bytes, limit: limit)
        if let inner {
          open.append(.object(members, next: next))
          open.append(inner)
        } else {
          end("}", isEmpty: members.isEmpty, level: open.count, style, into: &bytes)
        }
      }
      guard bytes.count <= limit else { return }
    }
  }

  /// Writes the elements from index `next` on. Stops after the opening bracket of a nested array or object and returns
  /// that container; returns nil after the last element.
  ///
  /// `next` is then the index of the element after the container.
  private static func writeElements(
    _ elements: [JSONValue], from next: inout Int, level: Int, _ style: Style, into bytes: inout [UInt8], limit: Int
  ) -> Open? {
    while next < elements.count, bytes.count <= limit {
      separate(isFirst: next == 0, level: level, style, into: &bytes)
      let element = elements[next]
      next += 1
      if let container = begin(element, into: &bytes, limit: limit) { return container }
    }
    return nil
  }

  private static func writeMembers(
    _ members: [JSONObject.Member], from next: inout Int, level: Int, _ style: Style, into bytes: inout [UInt8],
    limit: Int
  ) -> Open? {
    while next < members.count, bytes.count <= limit {
      separate(isFirst: next == 0, level: level, style, into: &bytes)
      let member = members[next]
      next += 1
      write(member.name, into: &bytes, limit: limit)
      bytes.append(UInt8(ascii: ":"))
      if style == .pretty { bytes.append(UInt8(ascii: " ")) }
      if let container = begin(member.value, into: &bytes, limit: limit) { return container }
    }
    return nil
  }

  /// Writes a complete scalar and returns nil, or writes the opening bracket of a container and returns the container.
  private static func begin(_ value: JSONValue, into bytes: inout [UInt8], limit: Int) -> Open? {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): bytes.append(contentsOf: number.text.utf8)
    case .string(let text): write(text, into: &bytes, limit: limit)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      return .array(elements, next: 0)
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      return .object(object.members, next: 0)
    }
    return nil
  }

  private static func separate(isFirst: Bool, level: Int, _ style: Style, into bytes: inout [UInt8]) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    if style == .pretty { newLine(level, into: &bytes) }
  }

  private static func end(
    _ bracket: Unicode.Scalar, isEmpty: Bool, level: Int, _ style: Style, into bytes: inout [UInt8]
  ) {
    if style == .pretty, !isEmpty { newLine(level, into: &bytes) }
    bytes.append(UInt8(ascii: bracket))
  }

  private static func newLine(_ level: Int, into bytes: inout [UInt8]) {
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * level))
  }

  // MARK: - Strings

  private static func write(_ text: String, into bytes: inout [UInt8], limit: Int) {
    bytes.append(UInt8(ascii: "\""))
    let length = max(limit - min(bytes.count, limit), 0)
    var text = text
    text.withUTF8 { content in
      EscapedText.escape(UnsafeBufferPointer(rebasing: content.prefix(length))) { bytes.append(contentsOf: $0) }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
