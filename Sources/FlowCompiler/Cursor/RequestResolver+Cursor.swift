internal import FlowRuntime
internal import FlowSpec
internal import FlowTerms
internal import SourceDiagnostics

extension RequestResolver {
  /// Returns the plan of the cursor; nil without a cursor, or after an error was reported.
  ///
  /// - Parameters:
  ///   - since: the start of this run, as the user wrote it
  ///   - isFullRefresh: whether this run ignores the remembered state
  mutating func cursor(_ declaration: FlowDeclaration, since: String?, isFullRefresh: Bool) -> CursorPlan? {
    guard let declared = declaration.pull.cursor else { return nil }
    var plan = CursorPlan(field: declared.field.value, kind: declared.kind, bounds: declared.bounds)
    plan.start = declared.start.flatMap { bound($0, of: declared.kind) }
    plan.words.start = declared.start?.value.sourceText
    switch declared.end {
    case nil: break
    case .now?: plan.end = .now
    case .value(let template)?:
      plan.end = bound(template, of: declared.kind).map { .value($0) }
      plan.words.end = template.value.sourceText
    }
    plan.query = (declared.query, declared.endQuery)
    plan.format = declared.format?.value
    plan.lookback = declared.lookback.flatMap { setting in
      value(of: setting) { (text) throws(SettingError) in
        try .parsing(text, of: declared.kind, for: "lookback", canBeNone: true)
      }
    }
    plan.slice = declared.slice.flatMap { setting in
      value(of: setting) { (text) throws(SettingError) in try .parsing(text, of: declared.kind) }
    }
    plan.since = since.flatMap { CursorValue($0, of: declared.kind) }
    plan.isFullRefresh = isFullRefresh
    plan.filters = declared.filters
    plan.isDescending = declared.isDescending
    plan.keepsPart = declared.keepsPart
    plan.keepsUndated = declared.keepsUndated
    plan.cap = declared.cap.map { CursorCap(records: $0.records, pages: $0.pages, then: $0.then) }
    if let since, plan.since == nil {
      diagnostics.report(
        Diagnostic(
          FlowCode.cursorBounds.code,
          "'\(since)' is not a value of '\(declared.field.value)', which is of type \(declared.kind.rawValue)",
          at: declared.field.range, help: "it was given with --since"))
    }
    return plan
  }

  private mutating func bound(_ template: Located<Template>, of kind: CursorTerms.Kind) -> CursorValue? {
    guard let text = resolve(template) else { return nil }
    if let value = CursorValue(text.text, of: kind) { return value }
    diagnostics.report(
      Diagnostic(
        FlowCode.cursorBounds.code, "'\(text.text)' is not a value of type \(kind.rawValue)",
        at: template.range))
    return nil
  }
}
