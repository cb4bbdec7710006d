public import FlowTerms
public import SourceDiagnostics

/// How a flow asks only for what is new: by a field of its records whose values grow.
public struct CursorDeclaration: Sendable {
  /// Where a request's range of values ends.
  public enum End: Sendable {
    /// At the present.
    case now
    /// At a value that is known before the run.
    case value(Located<Template>)
  }

  /// Where it stands.
  public var range: SourceRange
  /// A required field of the schema.
  public var field: Located<String>
  /// What its values are.
  public var kind: CursorTerms.Kind
  /// Where the first run begins; nil asks without a bound.
  public var start: Located<Template>?
  /// Where each range ends; nil asks without a bound.
  public var end: End?
  /// The query parameter for the start, replaced if it is there.
  public var query: String?
  /// The query parameter for the end.
  public var endQuery: String?
  /// How bounds of times are written: `iso8601`, `epoch_s`, `epoch_ms`, `date` or a strptime pattern; nil as records keep
  /// them.
  public var format: Located<String>?
  /// How much of what is known is asked for again.
  public var lookback: Located<CursorTerms.Distance>?
  /// The length of the ranges into which a long one is cut.
  public var slice: Located<CursorTerms.Distance>?
  /// Which values at the ends of a range the server gives.
  public var bounds: CursorTerms.Bounds

  /// What a persisted result depends on, as text: when one of these changes, the flow begins anew.
  public var identity: String {
    let places = [query, endQuery].map { $0 ?? "" }.joined(separator: " ")
    return "\(field.value) \(start?.value.sourceText ?? "") \(places)"
  }
}
