public import FlowTerms
public import SourceDiagnostics

/// How a flow requests only new records: by a field whose values grow.
public struct CursorDeclaration: Sendable {
  /// Where a request's range of values ends.
  public enum End: Sendable {
    /// At the current time.
    case now
    /// At a value that is known before the run.
    case value(Located<Template>)
  }

  /// Its source location.
  public var range: SourceRange
  /// A required field of the schema.
  public var field: Located<String>
  /// What its values are.
  public var kind: CursorTerms.Kind
  /// The start of the first run; nil: none.
  public var start: Located<Template>?
  /// The end of each range; nil: none.
  public var end: End?
  /// The query parameter for the start, replaced if it is there.
  public var query: String?
  /// The query parameter for the end.
  public var endQuery: String?
  /// The format of times: `iso8601`, `epoch_s`, `epoch_ms`, `date` or a strptime pattern; nil: as records store them.
  public var format: Located<String>?
  /// How much of the known range is requested again.
  public var lookback: Located<CursorTerms.Distance>?
  /// The length of the slices into which a long range is cut.
  public var slice: Located<CursorTerms.Distance>?
  /// Which values at the ends of a range the server gives.
  public var bounds: CursorTerms.Bounds

  /// What a persisted result depends on, as text: a change of it starts the flow from the beginning.
  public var identity: String {
    let locations = [query, endQuery].map { $0 ?? "" }.joined(separator: " ")
    return "\(field.value) \(start?.value.sourceText ?? "") \(locations)"
  }
}
