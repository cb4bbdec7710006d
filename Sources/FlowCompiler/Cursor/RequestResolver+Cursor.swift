internal import FlowSpec
internal import SourceDiagnostics

extension RequestResolver {
  /// The cursor with its bounds; nil without one or after reporting.
  ///
  /// - Parameters:
  ///   - since: where this run begins, as somebody wrote it
  ///   - isFullRefresh: whether this run begins anew
  mutating func cursor(_ declaration: FlowDeclaration, since: String?, isFullRefresh: Bool) -> ResolvedCursor? {
    guard let cursor = declaration.cursor else { return nil }
    let start = cursor.start.flatMap { bound($0, of: cursor.kind) }
    var end: CursorValue?
    if case .value(let template)? = cursor.end { end = bound(template, of: cursor.kind) }
    let first = since.flatMap { CursorValue($0, of: cursor.kind) }
    if let since, first == nil {
      diagnostics.report(
        Diagnostic(
          FlowCode.cursorBounds.code,
          "'\(since)' is not a value of '\(cursor.field.value)', which is of type \(cursor.kind.rawValue)",
          at: cursor.field.range, help: "it was given with --since"))
    }
    return ResolvedCursor(declaration: cursor, start: start, end: end, since: first, isFullRefresh: isFullRefresh)
  }

  private mutating func bound(_ template: Located<Template>, of kind: CursorDeclaration.Kind) -> CursorValue? {
    guard let text = resolve(template) else { return nil }
    if let value = CursorValue(text.text, of: kind) { return value }
    diagnostics.report(
      Diagnostic(
        FlowCode.cursorBounds.code, "'\(text.text)' is not a value of type \(kind.rawValue)",
        at: template.range))
    return nil
  }
}
