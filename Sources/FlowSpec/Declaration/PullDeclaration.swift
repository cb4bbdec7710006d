public import Boxes
public import FlowModel
public import JSONSyntax

/// What a run of a flow requests, and how its responses become records.
///
/// A flow has one, and another one for its first run if that requests something else.
public struct PullDeclaration: Sendable {
  /// The request to the server.
  public var request: RequestDeclaration
  /// The groups of fields: one request is sent for each group. Nil if one request has all fields.
  @BoxedIfPresent public var fieldGroups: FieldGroups?
  /// The format of the response; nil for one JSON document.
  @BoxedIfPresent public var decode: ResponseFormat?
  /// The path to the records in the response; nil means the whole response.
  @BoxedIfPresent public var records: Located<JSONPath>?
  /// The other operations on records.
  @Boxed public var mapping = MappingDeclaration()
  /// How the pages of a response are requested; nil means a single page.
  @BoxedIfPresent public var pages: Pages?
  /// Whether the flow declares `pages: none`: only one page is requested, even if the response announces another page.
  public var isOnePageMeant: Bool = false
  /// The cursor for requesting only new records. If it is nil, each run requests all records.
  @BoxedIfPresent public var cursor: Cursor?
  /// The job that the request creates, and whose result has the records; nil if the response has them.
  @BoxedIfPresent public var job: Job<RequestDeclaration>?

  /// Creates a pull of one request whose whole response is one record.
  init(_ request: RequestDeclaration) { self.request = request }

  /// Whether one request has all records of a run without parents.
  var isOneRequest: Bool {
    pages == nil && cursor?.slice == nil && cursor?.cap == nil && job == nil && fieldGroups == nil
  }
}
