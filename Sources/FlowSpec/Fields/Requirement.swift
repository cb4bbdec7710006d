internal import FieldTypes
internal import YAMLSyntax

/// A rule about which keys of a construct can or must be used together.
///
/// A rule is not checked for a key with an error, or if a required key is perhaps present in misspelt form.
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
  /// Makes the message from the key that breaks the rule and the conflicting word of another key.
  let message: @Sendable (_ key: String, _ word: String) -> String
  let help: String

  /// At least one of the keys must be present.
  static func oneOf(_ keys: [any FieldSpec], code: FlowCode, _ message: String, help: String) -> Requirement {
    Requirement(keys: keys, rule: .oneOf, code: code, message: { _, _ in message }, help: help)
  }

  /// A key needs another key to be present.
  ///
  /// - Parameter word: the value of the first key that makes the other key necessary; nil if every value does
  static func needs(
    _ key: any FieldSpec, is word: String? = nil, _ other: any FieldSpec, code: FlowCode, _ message: String,
    help: String
  ) -> Requirement {
    Requirement(keys: [key], rule: .needs(other, with: word), code: code, message: { _, _ in message }, help: help)
  }

  /// None of the keys can be used together with `other`, unless a third key is present.
  static func excludes(
    _ keys: [any FieldSpec], _ other: any FieldSpec, unless: (any FieldSpec)? = nil, code: FlowCode,
    help: String, message: @escaping @Sendable (_ key: String, _ word: String) -> String
  ) -> Requirement {
    Requirement(keys: keys, rule: .excludes(other, unless: unless), code: code, message: message, help: help)
  }

  /// The keys have an effect only with certain words of another key, unless a third key is present.
  static func only(
    _ keys: [any FieldSpec], with other: any FieldSpec, _ words: [String], unless: (any FieldSpec)? = nil,
    code: FlowCode, help: String = "leave it out",
    message: (@Sendable (_ key: String, _ word: String) -> String)? = nil
  ) -> Requirement {
    Requirement(
      keys: keys, rule: .only(with: other, words, unless: unless), code: code,
      message: message ?? { "'\($0)' has no effect with '\(other.name): \($1)'" }, help: help)
  }

  /// Whether the mapping has none of several keys, although it must have one of them.
  func lacksAll(in nodes: FieldNodes) -> Bool {
    if case .oneOf = rule { keys.allSatisfy { nodes.isLeftOut($0) } } else { false }
  }

  /// The value of the other key that conflicts with `key`; empty if each of its values conflicts, nil without a conflict.
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
