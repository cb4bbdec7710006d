internal import FlowModel
internal import JSONSyntax
internal import SourceDiagnostics
internal import YAMLSyntax

extension FlowReader {
  /// Reads the cursor of a server that gives a token with each pull, and with it what is new since then.
  mutating func tokenCursor(
    _ value: FieldValue, _ nodes: FieldNodes, _ persistence: Reading<ResultStorage<WrittenTarget>>,
    _ request: RequestDeclaration?, _ pages: Pages?, at flow: FieldNodes
  ) -> Cursor? {
    let query = reading(CursorKeys.query, of: nodes)
    guard let path = read(CursorKeys.token, of: nodes) else { return nil }
    // The server gives only what is new, as one that excludes the start of a range.
    var cursor = Cursor(Located(path.value.text, at: path.range), of: .token, bounds: .open, at: value.node.range)
    cursor.token = path.value
    cursor.query = query.value?.value
    cursor.isTokenURL = query.isAbsent && request?.mayUse("cursor") != true
    if isInFirstRun { return cursor.unbound }
    if cursor.isTokenURL, let key = [FlowKeys.fieldGroups, FlowKeys.job].lazy.compactMap({ flow.key($0) }).first {
      report(
        .cursorBounds, "the token is the URL of the next run's request, which this key cannot change", at: key,
        help: "name the parameter of the token with 'query' in 'cursor'")
    }
    if !persistence.isBroken {
      check(cursor, nodes, persistence.value, pages, at: flow.key(FlowKeys.persistence) ?? value.key)
    }
    return cursor
  }
}
