import FieldTypes
import FlowModel
import SourceDiagnostics
import YAMLSyntax

/// A type as the key `type`, or a field's short form, has it: `string`, `string?` or `[string]`.
struct WrittenType {
  /// The name; `list` for a type in brackets.
  var name: Located<FieldTypeName>
  /// Whether the name has a question mark, so that the field may be absent or null.
  var isOptional = false
  /// The element of a type in brackets; nil for a name.
  var element: FieldValue?
}

/// The type of a field or an element, with whether the type itself says that the field is optional.
struct RawType {
  var kind: RawSchema.Kind
  var isOptional = false
}

extension FlowReader {
  /// Reads a type: a name, a name with a question mark, or one element in brackets.
  mutating func writtenType(_ value: FieldValue) -> WrittenType? {
    if case .sequence(let nodes) = value.node.content {
      guard nodes.count == 1 else {
        return fail(
          .wrongKind, "a list's type in brackets has one element type", at: value.node.range,
          help: "write it as in '[string]'")
      }
      return WrittenType(name: Located(.list, at: value.node.range), element: value.part(nodes[0]))
    }
    guard let word = text(value) else { return nil }
    let isOptional = word.count > 1 && word.hasSuffix("?")
    let name = isOptional ? String(word.dropLast()) : word
    if let type = FieldTypeName(rawValue: name) {
      return WrittenType(name: Located(type, at: value.node.range), isOptional: isOptional)
    }
    report(
      .unknownType, "'\(printable(word))' is not a type", at: value.node.range,
      suggestion: suggestedType(name).map { isOptional ? $0 + "?" : $0 },
      help: "types are \(listed(TypeKeys.names, atMost: 20))")
    return nil
  }

  /// Reads a type that is declared alone, without other keys.
  mutating func shortType(_ value: FieldValue) -> RawType? {
    guard let written = read(TypeKeys.type, short: value) else { return nil }
    let kind = written.element.map { elementKind($0).map { .list($0) } } ?? bareKind(written.name)
    return kind.map { RawType(kind: $0, isOptional: written.isOptional) }
  }

  /// Reads the type of a list's elements.
  mutating func elementKind(_ value: FieldValue) -> RawSchema.Kind? {
    guard case .mapping = value.node.content else { return shortType(value).flatMap { required($0, at: value.node) } }
    return open(value, as: .element).flatMap { kind($0) }.flatMap { required($0, at: value.node) }
  }

  /// The type of an element, which cannot be optional.
  private mutating func required(_ type: RawType, at node: YAMLNode) -> RawSchema.Kind? {
    guard type.isOptional else { return type.kind }
    return fail(
      .misplacedOption, "an element of a list cannot be optional", at: node.range,
      help: "leave the '?' out; 'json' is a type whose values may be null")
  }

  /// Reports `optional` or `default` beside a type with a question mark.
  mutating func checkOptional(_ nodes: FieldNodes) {
    if let key = nodes.key(FieldKeys.optional) {
      report(.contradiction, "the '?' of the type already says 'optional'", at: key, help: "leave one of them out")
    }
    if let key = nodes.key(FieldKeys.defaultValue) {
      report(
        .contradiction, "'default' and the '?' of the type exclude each other", at: key,
        help: "with a default the field is never null")
    }
  }

  /// Suggests a type for an unknown word: first for names in other languages, then for misspelt names.
  mutating func suggestedType(_ word: String, among words: [String] = TypeKeys.names) -> String? {
    if let other = FieldTypeName(foreign: word)?.rawValue, words.contains(other) { return other }
    return nearest(to: word, in: words)
  }

  /// Returns a type without options; reports an error if the type requires options.
  mutating func bareKind(_ name: Located<FieldTypeName>) -> RawSchema.Kind? {
    if let plain = TypeDeclaration(name.value) { return .plain(plain) }
    let (needed, example) =
      switch name.value {
      case .enumeration: ("'values'", "{ type: enum, values: [free, pro] }")
      case .list: ("the type of its elements", "[string]")
      default: ("'fields' or 'schema'", "{ type: object, fields: { zip: string } }")
      }
    report(
      .incompleteType, "type '\(name.value.rawValue)' needs \(needed)", at: name.range,
      help: "write it as in '\(example)'")
    return nil
  }
}
