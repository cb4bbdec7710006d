/// A value of a file that is imported.
final class SourceNode: Sendable {
  /// The content of a value, by its kind.
  enum Content: Sendable {
    case null
    case bool(Bool)
    /// A number as written.
    case number(String)
    case text(String)
    case list([SourceNode])
    case mapping([Member])
  }

  /// A named value of a mapping.
  struct Member: Sendable {
    let name: String
    let value: SourceNode
  }

  let content: Content
  /// The line of the file, from 1; 0 when it is not known.
  let line: Int
  /// The path in the file, such as `streams[0].retriever`.
  let path: String
  /// The number of values in this value, itself included.
  let size: Int
  /// A digest of the content; equal values have the same digest.
  let digest: Int

  init(_ content: Content, line: Int, path: String) {
    self.content = content
    self.line = line
    self.path = path
    var (size, hasher) = (1, Hasher())
    switch content {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let text):
      hasher.combine(1)
      hasher.combine(text)
    case .text(let text):
      hasher.combine(2)
      hasher.combine(text)
    case .list(let elements):
      hasher.combine(3)
      for element in elements {
        hasher.combine(element.digest)
        size += element.size
      }
    case .mapping(let members):
      hasher.combine(4)
      for member in members {
        hasher.combine(member.name)
        hasher.combine(member.value.digest)
        size += member.value.size
      }
    }
    self.size = size
    digest = hasher.finalize()
  }

  /// The text, if the value is a text; nil for other values.
  var text: String? { if case .text(let text) = content { text } else { nil } }

  /// The text of any scalar as written.
  var scalar: String? {
    switch content {
    case .text(let text), .number(let text): text
    case .bool(let value): value ? "true" : "false"
    case .null, .list, .mapping: nil
    }
  }

  /// The value of an integer, also if it is written as a text; nil for other values.
  var integer: Int? {
    switch content {
    case .number(let text), .text(let text): Int(text)
    case .null, .bool, .list, .mapping: nil
    }
  }

  /// The value of a boolean, also if it is written as `yes`, `no`, `on` or `off`; nil for other values.
  var bool: Bool? {
    switch content {
    case .bool(let value): value
    case .text(let text):
      switch text.lowercased() {
      case "yes", "on": true
      case "no", "off": false
      default: nil
      }
    default: nil
    }
  }

  var list: [SourceNode]? { if case .list(let elements) = content { elements } else { nil } }
  var members: [Member]? { if case .mapping(let members) = content { members } else { nil } }

  var isNull: Bool { if case .null = content { true } else { false } }

  /// Whether the value is null, false, 0 or empty.
  var isFalsy: Bool {
    switch content {
    case .null: true
    case .bool(let value): !value
    case .number(let text): text == "0" || text == "0.0"
    case .text(let text): text.isEmpty
    case .list(let elements): elements.isEmpty
    case .mapping(let members): members.isEmpty
    }
  }

  /// The member of a mapping.
  subscript(_ name: String) -> SourceNode? {
    guard case .mapping(let members) = content else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// Whether a text in this value contains the given text.
  func mentions(_ text: String) -> Bool {
    switch content {
    case .text(let own): own.contains(text)
    case .list(let elements): elements.contains { $0.mentions(text) }
    case .mapping(let members): members.contains { $0.value.mentions(text) }
    case .null, .bool, .number: false
    }
  }

  /// The texts of a list of scalars, or of one scalar; nil for other values.
  var texts: [String]? {
    if let scalar { return [scalar] }
    guard let list else { return nil }
    let texts = list.compactMap(\.scalar)
    return texts.count == list.count ? texts : nil
  }
}

extension SourceNode {
  /// A value with the given text, at the position of this value.
  func with(_ text: String) -> SourceNode { SourceNode(.text(text), line: line, path: path) }

  /// The kind of the value, for messages.
  var kindName: String {
    switch content {
    case .null: "nothing"
    case .bool, .number, .text: "a scalar"
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }

  /// The text of a scalar that is not empty; nil for other values.
  var filled: String? { scalar.flatMap { $0.isEmpty ? nil : $0 } }
}
