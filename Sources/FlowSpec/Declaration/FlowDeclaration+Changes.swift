public import JSONSyntax
internal import SourceDiagnostics

extension FlowDeclaration {
  /// What may be another than its file says, for a flow that runs in place of the declared one.
  public struct Changes {
    /// What is asked of the server.
    public var request: RequestDeclaration
    /// What there is one request for each of.
    public var each: EachDeclaration?
    /// Where the records are in the answer.
    public var records: Located<JSONPath>?
    /// Whether the flow ends only when its result is saved.
    public var wait: Bool
    /// Where the result is kept.
    public var persistence: PersistenceDeclaration?
    /// How an answer in several pages is asked for.
    public var pages: PagesDeclaration?
  }

  /// The same flow but for some changes.
  public func changed(_ change: (inout Changes) -> Void) -> FlowDeclaration {
    var new = Changes(
      request: request, each: each, records: records, wait: wait, persistence: persistence, pages: pages)
    change(&new)
    return FlowDeclaration(
      id: id, name: name, range: range, file: file, description: description, tags: tags, request: new.request,
      auth: auth, each: new.each, records: new.records, schema: schema, mapping: mapping, prune: prune,
      reachability: reachability, wait: new.wait, persistence: new.persistence, conditional: conditional,
      rejected: rejected, expect: expect, pages: new.pages, isOnePageMeant: isOnePageMeant, cursor: cursor,
      deadline: deadline, retry: retry, errors: errors, rate: rate, timeout: timeout, maxBytes: maxBytes,
      redirects: redirects, allow: allow, caFile: caFile, fixture: fixture, proxy: proxy)
  }
}
