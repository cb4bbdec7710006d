/// A mapping of the language: its keys, its short form and where it stands.
///
/// A constant table that all readings share; a class, so that passing it on costs nothing.
public final class Construct: Sendable {
  /// What it is called.
  public let name: ConstructName
  /// With its article, as messages say it: `a flow`.
  public let noun: String
  /// One line: what it declares.
  public let summary: String
  /// What the line leaves out; whole sentences, may be empty.
  public let details: String
  /// What may stand in place of the mapping.
  public let shortForm: ShortForm?
  /// The keys in the order of the reference.
  public let fields: [any FieldSpec]
  /// Keys that are part of the format and not understood by this version.
  public let later: [LaterKey]
  /// A file around the construct, to try examples in.
  public let frame: Frame

  /// The places of the keys in `fields`.
  let slots: [String: Int]
  /// The places of the keys that may not be left out.
  let required: [Int]

  /// Builds a table; names must be unique.
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
