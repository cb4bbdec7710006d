package import Boxes
package import FlowModel
package import JSONSyntax

/// What a run of a flow requests, and how its responses become records.
///
/// A flow has one, and another one for its first run if that requests something else.
package struct PullDeclaration: Sendable {
  /// The request to the server.
  package var request: RequestDeclaration
  /// The groups of fields: one request is sent for each group. Nil if one request has all fields.
  @BoxedIfPresent package var fieldGroups: FieldGroups?
  /// The format of the response; nil for one JSON document.
  @BoxedIfPresent package var decode: ResponseFormat?
  /// The path to the records in the response; nil means the whole response.
  @BoxedIfPresent package var records: Located<JSONPath>?
  /// The operations on records in addition to the mapping by the schema.
  @Boxed package var mapping = MappingDeclaration()
  /// How the pages of a response are requested; nil means a single page.
  @BoxedIfPresent package var pages: Pages?
  /// Whether the flow declares `pages: none`: only one page is requested, even if the response announces another page.
  package var isOnePageMeant: Bool = false
  /// The cursor for requesting only new records. If it is nil, each run requests all records.
  @BoxedIfPresent package var cursor: Cursor?
  /// The job that the request creates, and whose result has the records; nil if the response has them.
  @BoxedIfPresent package var job: Job<RequestDeclaration>?

  /// Creates a pull of one request whose whole response is one record.
  init(_ request: RequestDeclaration) { self.request = request }

  /// Whether one request is enough for all records, if the flow has no parents.
  var isOneRequest: Bool {
    pages == nil && cursor?.slice == nil && cursor?.cap == nil && job == nil && fieldGroups == nil
  }
}
