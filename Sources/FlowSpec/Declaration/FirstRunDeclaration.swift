public import FlowTerms
internal import JSONSyntax

/// The request of a flow's first run, and how its response is read.
///
/// The properties replace those of the flow with the same names.
public struct FirstRunDeclaration: Sendable {
  var request: RequestDeclaration
  var fieldGroups: FieldGroupsDeclaration?
  var decode: ResponseFormat?
  var records: Located<JSONPath>?
  var mapping: MappingDeclaration
  var pages: PagesDeclaration?
  var isOnePageMeant: Bool
  var cursor: CursorDeclaration?
  var job: JobDeclaration?
  /// The age of a position from which on the request is sent again; nil for never.
  public var againAfter: CursorTerms.Distance?

  /// Takes what differs from a flow that was read with the keys of `first_run`.
  init(_ flow: FlowDeclaration) {
    request = flow.request
    fieldGroups = flow.fieldGroups
    decode = flow.decode
    records = flow.records
    mapping = flow.mapping
    pages = flow.pages
    isOnePageMeant = flow.isOnePageMeant
    cursor = flow.cursor
    job = flow.job
  }
}

extension FlowDeclaration {
  /// The flow as its first run is declared; nil if the first run is like every other.
  public var inFirstRun: FlowDeclaration? {
    guard let firstRun else { return nil }
    var flow = self
    flow.firstRun = nil
    flow.request = firstRun.request
    flow.fieldGroups = firstRun.fieldGroups
    flow.decode = firstRun.decode
    flow.records = firstRun.records
    flow.mapping = firstRun.mapping
    flow.pages = firstRun.pages
    flow.isOnePageMeant = firstRun.isOnePageMeant
    flow.cursor = firstRun.cursor
    flow.job = firstRun.job
    flow.expect.total = nil
    return flow
  }
}

extension CursorDeclaration {
  /// The cursor of a first run with its own request, in which only templates have the range.
  var unbound: CursorDeclaration {
    var cursor = self
    cursor.query = nil
    cursor.endQuery = nil
    cursor.slice = nil
    cursor.cap = nil
    cursor.isDescending = false
    cursor.keepsPart = false
    return cursor
  }
}
