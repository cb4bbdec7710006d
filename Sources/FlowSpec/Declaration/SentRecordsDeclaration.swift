public import JSONSyntax
public import SourceDiagnostics

/// The records that a flow sends: those it is asked for each of, encoded through a schema.
public struct SentRecordsDeclaration: Sendable {
  /// How several records stand in one body.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// An object, or an array of them in a batch.
    case json
    /// A line for each.
    case jsonLines = "jsonl"
  }

  /// Where it stands.
  public var range: SourceRange
  /// How records are encoded; nil sends them as they are kept.
  public var schema: SchemaDeclaration?
  /// How several records stand in one body.
  public var format: Format
  /// The member of the body under which they stand; empty for the body itself.
  public var place: [JSONPath.Step]
  /// What stands beside them.
  public var envelope: Located<TemplatedJSON>?
  /// Whether fields that are null are sent as null; else they are left out.
  public var sendsNulls: Bool

  /// What the body is, as text: tells requests apart whose records come later.
  public var identity: String {
    let schema = schema.map { "\($0.name)" } ?? ""
    let envelope = envelope?.value.sourceText ?? ""
    return "records \(schema) \(format.rawValue) \(JSONPath(singular: place).text) \(envelope) \(sendsNulls)"
  }
}
