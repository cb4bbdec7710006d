/// A mapping of the language: its keys and its short form.
///
/// A constant table that all readings share; a class, so passing it costs nothing.
public final class Construct: Sendable {
  /// What it is called.
  public let name: ConstructName
  /// Its name in messages, with the article: `a flow`.
  public let noun: String
  /// One line: what it declares.
  public let summary: String
  /// More rules; whole sentences, may be empty.
  public let details: String
  /// The value that may replace the mapping.
  public let shortForm: ShortForm?
  /// The keys in the order of the reference.
  public let fields: [any FieldSpec]
  /// Keys of the format that this version does not support.
  public let later: [LaterKey]
  /// A file around the construct, for its examples.
  public let frame: Frame

  /// The indices of the keys in `fields`.
  let slots: [String: Int]
  /// The indices of the required keys.
  let required: [Int]

  init(
    _ name: ConstructName, noun: String, _ summary: String, details: String = "", shortForm: ShortForm? = nil,
    fields: [any FieldSpec], later: [LaterKey] = [], frame: Frame
  ) {
    self.name = name
    self.noun = noun
    self.summary = summary
    self.details = details
    self.shortForm = shortForm
    self.fields = fields
    self.later = later
    self.frame = frame
    self.slots = Dictionary(uniqueKeysWithValues: fields.indices.map { (fields[$0].name, $0) })
    self.required = fields.indices.filter { fields[$0].isRequired }
  }

  /// The description of a key.
  public subscript(_ name: String) -> (any FieldSpec)? { slots[name].map { fields[$0] } }
}

extension Construct {
  /// A key of the format that a later version will support; its use has its own error.
  public struct LaterKey: Sendable {
    /// The key.
    public let name: String
    /// What it will declare.
    public let summary: String
    /// What to do until then, if anything.
    public let instead: String?

    init(_ name: String, _ summary: String, instead: String? = nil) {
      self.name = name
      self.summary = summary
      self.instead = instead
    }
  }
}

extension Construct {
  /// A value that replaces the whole mapping.
  public struct ShortForm: Sendable {
    /// What the value is.
    public let kind: ValueKind
    /// Words with a special meaning.
    public let words: [String]
    /// One line: what it means.
    public let summary: String
    /// Correct uses: values only.
    public let examples: [String]

    init(_ kind: ValueKind, words: [String] = [], _ summary: String, examples: [String]) {
      self.kind = kind
      self.words = words
      self.summary = summary
      self.examples = examples
    }
  }
}
