public import FlowTerms
public import SourceDiagnostics

/// The declaration of a cursor: a field with growing values, by which a flow requests only new records.
public struct CursorDeclaration: Sendable {
  /// The end of a request's range of values.
  public enum End: Sendable {
    /// The current time.
    case now
    /// A value that is known before the run.
    case value(Located<Template>)
  }

  /// The part of a range that the server gives at most.
  public struct Cap: Sendable {
    /// The source location of the declaration.
    public var range: SourceRange
    /// The number of records; nil for no such limit.
    public var records: Int?
    /// The number of pages; nil for no such limit.
    public var pages: Int?
    /// How the rest of the range is requested.
    public var then: CursorTerms.AtCap
  }

  /// The source location of the declaration.
  public var range: SourceRange
  /// The name of the field, which is a required field of the schema.
  public var field: Located<String>
  /// The type of the field's values.
  public var kind: CursorTerms.Kind
  /// The start of the first run's range; nil means no start.
  public var start: Located<Template>?
  /// The end of each range; nil means no end.
  public var end: End?
  /// The query parameter for the start. An existing parameter of this name is replaced.
  public var query: String?
  /// The query parameter for the end.
  public var endQuery: String?
  /// The format of times in requests: `iso8601`, `epoch_s`, `epoch_ms`, `date` or a strptime pattern.
  ///
  /// If it is nil, times have the format in which records store them.
  public var format: Located<String>?
  /// The length of the part of the known range that is requested again.
  public var lookback: Setting<CursorTerms.Distance>?
  /// The slices into which a long range is divided.
  public var slice: Setting<CursorTerms.Slice>?
  /// Whether records outside of the requested range are left out.
  public var filters = false
  /// Whether the server gives the newest records first, so that the pull can end at a record before the start.
  public var isDescending = false
  /// Whether records without the field are stored. They do not change the persisted value.
  public var keepsUndated = false
  /// Whether the slices before a failed one are published.
  public var keepsPart = false
  /// The part of a range that the server gives at most; nil if it gives whole ranges.
  public var cap: Cap?
  /// Which ends of a range the server includes in its response.
  public var bounds: CursorTerms.Bounds

  /// The properties of the cursor on which a persisted result depends, as text.
  ///
  /// If this text changes, the flow starts from the beginning.
  public var identity: String {
    let locations = [query, endQuery].map { $0 ?? "" }.joined(separator: " ")
    return "\(field.value) \(start?.value.sourceText ?? "") \(locations)"
  }
}
