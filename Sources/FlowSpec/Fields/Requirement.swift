internal import FieldTypes
internal import YAMLSyntax

/// A rule about which keys of a construct stand together.
///
/// A key with an error, or one that may be a misspelling of another, breaks no rule.
struct Requirement: Sendable {
  private enum Rule: Sendable {
    case oneOf
    case needs(any FieldSpec, with: String?)
    case excludes(any FieldSpec, unless: (any FieldSpec)?)
    case only(with: any FieldSpec, [String], unless: (any FieldSpec)?)
  }

  let keys: [any FieldSpec]
  private let rule: Rule
  let code: FlowCode
  /// The message, from the name of the key that breaks the rule and the word that does not go with it.
  let message: @Sendable (_ key: String, _ word: String) -> String
  let help: String

  /// One of the keys must be there.
  static func oneOf(_ keys: [any FieldSpec], code: FlowCode, _ message: String, help: String) -> Requirement {
    Requirement(keys: keys, rule: .oneOf, code: code, message: { _, _ in message }, help: help)
  }

  /// The key needs another one.
  ///
  /// - Parameter word: the value with which the key needs it; nil for any value
  static func needs(
    _ key: any FieldSpec, is word: String? = nil, _ other: any FieldSpec, code: FlowCode, _ message: String,
    help: String
  ) -> Requirement {
    Requirement(keys: [key], rule: .needs(other, with: word), code: code, message: { _, _ in message }, help: help)
  }

  /// The keys cannot stand beside another one, unless a third one is there.
  static func excludes(
    _ keys: [any FieldSpec], _ other: any FieldSpec, unless: (any FieldSpec)? = nil, code: FlowCode,
    help: String, message: @escaping @Sendable (_ key: String, _ word: String) -> String
  ) -> Requirement {
    Requirement(keys: keys, rule: .excludes(other, unless: unless), code: code, message: message, help: help)
  }

  /// The keys have an effect only with some words of another key, unless a third one is there.
  static func only(
    _ keys: [any FieldSpec], with other: any FieldSpec, _ words: [String], unless: (any FieldSpec)? = nil,
    code: FlowCode, help: String = "leave it out",
    message: (@Sendable (_ key: String, _ word: String) -> String)? = nil
  ) -> Requirement {
    Requirement(
      keys: keys, rule: .only(with: other, words, unless: unless), code: code,
      message: message ?? { "'\($0)' has no effect with '\(other.name): \($1)'" }, help: help)
  }

  /// Whether the mapping has none of the keys of which it must have one.
  func lacksAll(in nodes: FieldNodes) -> Bool {
    if case .oneOf = rule { keys.allSatisfy { nodes.isLeftOut($0) } } else { false }
  }

  /// The word that does not go with a key of the mapping, empty if any word would not; nil if the key may be there.
  func conflict(of key: any FieldSpec, in nodes: FieldNodes) -> String? {
    switch rule {
    case .oneOf: return nil
    case .needs(let other, let word):
      return nodes.isLeftOut(other) && (word == nil || nodes.value(key)?.word == word) ? "" : nil
    case .excludes(let other, let third):
      return nodes.key(other) != nil && !Self.has(third, nodes) ? "" : nil
    case .only(let other, let words, let third):
      guard let word = Self.word(of: other, in: nodes), !words.contains(word), !Self.has(third, nodes) else {
        return nil
      }
      return word
    }
  }

  private static func has(_ key: (any FieldSpec)?, _ nodes: FieldNodes) -> Bool {
    key.map { nodes.key($0) != nil } ?? false
  }

  /// The word that a key has as its value or by default; nil if it is unknown or not one of the key's words.
  private static func word(of key: any FieldSpec, in nodes: FieldNodes) -> String? {
    // A type in brackets.
    if case .type = key.kind, case .sequence? = nodes.value(key)?.node.content { return FieldTypeName.list.rawValue }
    let word: String? =
      if let value = nodes.value(key) { value.word } else { nodes.isLeftOut(key) ? key.defaultText : nil }
    guard let word else { return nil }
    return switch key.kind {
    case .choice(let words): words.contains(word) ? word : nil
    case .type: word.hasSuffix("?") ? String(word.dropLast()) : word
    case .boolean: ["true", "false"].contains(word) ? word : nil
    default: nil
    }
  }
}
