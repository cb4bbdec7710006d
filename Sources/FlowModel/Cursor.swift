public import Boxes
public import JSONSyntax
public import SourceDiagnostics
package import TimeSyntax

/// How a flow requests only new records: by a field of the records whose values grow, or by a token of the server.
public struct Cursor: Sendable {
  /// The type of the field's values.
  public enum Kind: String, Sendable, Hashable {
    case timestamp, date, integer, string
    /// A text without an order, which a response contains and the next run sends back.
    case token
  }

  /// Which ends of a requested range the server includes in its response.
  public enum Bounds: String, Sendable, Hashable, CaseIterable {
    case closedOpen = "[)"
    case closed = "[]"
    case openClosed = "(]"
    case open = "()"

    /// Whether the response includes a record whose value equals the start.
    public var includesStart: Bool { self == .closedOpen || self == .closed }
    /// Whether the response includes a record whose value equals the end.
    public var includesEnd: Bool { self == .closed || self == .openClosed }
  }

  /// A declared bound of the requested ranges.
  public struct Bound: Sendable {
    /// The bound as it is written.
    public let text: Located<Template>
    /// The value of the text; nil until variables are known.
    public var value: Value?

    /// Creates a bound whose value is not known yet.
    public init(_ text: Located<Template>) { self.text = text }
  }

  /// The end of each requested range.
  public enum End: Sendable {
    /// Each range ends at the time when the flow starts.
    case now
    /// Each range ends at a value that is known before the first request.
    case value(Bound)
  }

  /// A distance between two values of the field.
  public enum Distance: Sendable, Hashable {
    /// A distance between two times, in seconds.
    case seconds(Double)
    /// A distance between two times, in months of the calendar.
    case months(Int)
    /// A distance between two integers.
    case count(Int64)
  }

  /// How a long range is divided into parts.
  public enum Slice: Sendable, Hashable {
    /// Parts of equal length, counted from the start of the range.
    case length(Distance)
    /// The days, weeks, months, quarters or years of the calendar, in the time zone of the cursor (UTC without one).
    /// The first and the last part may be shorter.
    case calendar(CalendarPeriod)
  }

  /// A period of the calendar, in the time zone of the cursor (UTC without one). A week begins on Monday.
  public enum CalendarPeriod: String, Sendable, Hashable, CaseIterable {
    case day, week, month, quarter, year
  }

  /// How the rest of a range is requested if the server returns only a part of it.
  public enum AtCap: String, Sendable, Hashable, CaseIterable {
    /// A new range begins at the greatest value so far. The server must return the records in ascending order.
    case restart
    /// The two halves of the range are requested instead of it.
    case halve
  }

  /// The limit for how much of a range the server returns.
  public struct Cap: Sendable {
    /// The source location of the cap.
    public var range: SourceRange
    /// The number of received records at which the cap is reached; nil if they are not counted.
    public var records: Int?
    /// The number of pages at which the cap is reached; nil if they are not counted.
    public var pages: Int?
    /// How the rest of the range is requested.
    public var then: AtCap

    /// Creates a cap. If `records` and `pages` are nil, a rule of `errors` decides when the cap is reached.
    public init(records: Int?, pages: Int?, then: AtCap, at range: SourceRange) {
      self.range = range
      self.records = records
      self.pages = pages
      self.then = then
    }
  }

  /// The time zone of the bounds in requests, which are local times.
  public struct Zone: Sendable {
    /// The name in the time zone database, such as `America/New_York`.
    public let name: Located<String>
    /// The offsets of the zone; nil until the database was read.
    package var rules: ZoneRules?

    /// Creates a zone whose offsets are not known yet.
    public init(_ name: Located<String>) { self.name = name }
  }

  /// The source location of the cursor.
  public var range: SourceRange
  /// The name of the field, which must be required unless `keepsUndated` is true. For a cursor with a token, the path
  /// of the token as text.
  public var field: Located<String>
  /// The path by which the token for the next run is found in the last page; nil for a cursor with a field.
  @BoxedIfPresent public var token: JSONPath?
  /// Whether the token is the URL that the next run requests first.
  public var isTokenURL = false
  /// The type of the field's values.
  public var kind: Kind
  /// Which ends of a range the server includes in its response.
  public var bounds: Bounds
  /// The start of the first run's range; nil to send no start.
  public var start: Bound?
  /// The end of each range; nil to send no end.
  public var end: End?
  /// The query parameter for the start. An existing parameter of this name is replaced.
  public var query: String?
  /// The query parameter for the end. An existing parameter of this name is replaced.
  public var endQuery: String?
  /// The format of times in requests: `iso8601`, `epoch_s`, `epoch_ms`, `epoch_us`, `date` or a strptime pattern.
  ///
  /// If it is nil, times have the format in which records store them.
  public var format: Located<String>?
  /// The time zone of the bounds in requests; nil for UTC.
  @BoxedIfPresent public var zone: Zone?
  /// How far before the remembered value a run starts.
  public var lookback: Setting<Distance>?
  /// How a long range is divided into slices; nil to request it whole.
  public var slice: Setting<Slice>?
  /// The limit for how much of a range the server returns; nil if it returns whole ranges.
  public var cap: Cap?
  /// Whether records outside of the requested range are left out.
  public var filters = false
  /// Whether the server gives the newest records first. The pull then ends at the first record before the start of the
  /// range.
  public var isDescending = false
  /// Whether the slices before a failed one are published.
  public var keepsPart = false
  /// Whether records without a value in the field are kept. They do not change the remembered value.
  public var keepsUndated = false
  /// The age of the remembered value at which the request of the first run is sent again. It is used only if the first
  /// run has its own request.
  ///
  /// If it is nil, that request is never sent again because of the age.
  public var againAfter: Distance?

  /// Creates a cursor that sends no bounds.
  public init(_ field: Located<String>, of kind: Kind, bounds: Bounds, at range: SourceRange) {
    self.range = range
    self.field = field
    self.kind = kind
    self.bounds = bounds
  }

  /// The field that says which of two records with one key is newer; nil for a cursor with a token, because no such
  /// field is declared.
  public var rank: String? { kind == .token ? nil : field.value }

  /// The properties of the cursor on which the persisted result depends, as text.
  ///
  /// If this text changes, the flow starts from the beginning.
  public var identity: String {
    let locations = [query, endQuery].map { $0 ?? "" }.joined(separator: " ")
    return "\(field.value) \(start?.text.value.sourceText ?? "") \(locations)"
  }
}
