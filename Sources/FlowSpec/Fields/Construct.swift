/// A mapping of the language, with its keys and its short form.
///
/// Each construct is a constant that all readers share. It is a class, so that passing it costs nothing.
package final class Construct: Sendable {
  /// The name that identifies the construct.
  package let name: ConstructName
  /// The construct's name in messages, with its article: `a flow`.
  package let noun: String
  /// A description of the construct in one line.
  package let summary: String
  /// Further rules, in whole sentences; may be empty.
  package let details: String
  /// The value that can replace the mapping, if any.
  package let shortForm: ShortForm?
  /// The keys, in the order of the reference page.
  package let fields: [any FieldSpec]
  /// The rules about which keys can or must be used together.
  let requirements: [Requirement]
  /// Keys that only a later version will support.
  package let later: [LaterKey]
  /// A file in which the construct's examples are tested.
  package let frame: Frame

  /// The indices in `fields`, by key.
  let slots: [String: Int]
  /// The indices in `fields` of the required keys.
  let required: [Int]

  init(
    _ name: ConstructName, noun: String, _ summary: String, details: String = "", shortForm: ShortForm? = nil,
    fields: [any FieldSpec], requirements: [Requirement] = [], later: [LaterKey] = [], frame: Frame
  ) {
    self.name = name
    self.noun = noun
    self.summary = summary
    self.details = details
    self.shortForm = shortForm
    self.fields = fields
    self.requirements = requirements
    self.later = later
    self.frame = frame
    self.slots = Dictionary(uniqueKeysWithValues: fields.indices.map { (fields[$0].name, $0) })
    self.required = fields.indices.filter { fields[$0].isRequired }
  }

  /// Whether keys that begin with `x-` are allowed and ignored. They are allowed only at the top of a file, for blocks
  /// that several parts of the file share with a YAML anchor.
  var hasBlocks: Bool { name == .file || name == .schemaFile }

  /// The declaration of a key; nil for an unknown key.
  package subscript(_ name: String) -> (any FieldSpec)? { slots[name].map { fields[$0] } }
}

extension Construct {
  /// A key that only a later version will support. Its use is reported with its own code.
  package struct LaterKey: Sendable {
    /// The name of the key.
    package let name: String
    /// A description of what the key will declare.
    package let summary: String
    /// An alternative until the key is supported, if any.
    package let instead: String?

    init(_ name: String, _ summary: String, instead: String? = nil) {
      self.name = name
      self.summary = summary
      self.instead = instead
    }
  }
}

extension Construct {
  /// A value that can replace the whole mapping.
  package struct ShortForm: Sendable {
    /// The kind of the value.
    package let kind: ValueKind
    /// The words that have a special meaning as the value.
    package let words: [String]
    /// The meaning of the value, in one line.
    package let summary: String
    /// Examples of correct values.
    package let examples: [String]

    init(_ kind: ValueKind, words: [String] = [], _ summary: String, examples: [String]) {
      self.kind = kind
      self.words = words
      self.summary = summary
      self.examples = examples
    }
  }
}
