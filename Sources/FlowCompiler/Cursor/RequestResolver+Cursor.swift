internal import FlowModel
internal import FlowSpec
internal import SourceDiagnostics

extension RequestResolver {
  /// Returns the cursor with the values that variables give; nil without a cursor.
  mutating func cursor(_ declaration: FlowDeclaration) -> Cursor? {
    guard var cursor = declaration.pull.cursor else { return nil }
    let kind = cursor.kind
    if let start = cursor.start { cursor.start = filled(start, kind) }
    if case .value(let end)? = cursor.end { cursor.end = .value(filled(end, kind)) }
    if let lookback = cursor.lookback {
      cursor.lookback = filled(lookback) { (text) throws(SettingError) in
        try .parsing(text, of: kind, for: "lookback", canBeNone: true)
      }
    }
    if let slice = cursor.slice {
      cursor.slice = filled(slice) { (text) throws(SettingError) in try .parsing(text, of: kind) }
    }
    return cursor
  }

  /// The start of this run; nil without one, or after an error was reported.
  ///
  /// - Parameter text: the start as the user wrote it
  mutating func since(_ text: String?, of cursor: Cursor?) -> Cursor.Value? {
    guard let text, let cursor else { return nil }
    if let value = Cursor.Value(text, of: cursor.kind) { return value }
    diagnostics.report(
      Diagnostic(
        FlowCode.cursorBounds.code,
        "'\(text)' is not a value of '\(cursor.field.value)', which is of type \(cursor.kind.rawValue)",
        at: cursor.field.range, help: "it was given with --since"))
    return nil
  }

  /// A bound with its value; unchanged after an error was reported.
  private mutating func filled(_ bound: Cursor.Bound, _ kind: Cursor.Kind) -> Cursor.Bound {
    guard let text = resolve(bound.text)?.text else { return bound }
    var bound = bound
    bound.value = Cursor.Value(text, of: kind)
    if bound.value == nil {
      diagnostics.report(
        Diagnostic(
          FlowCode.cursorBounds.code, "'\(text)' is not a value of type \(kind.rawValue)", at: bound.text.range))
    }
    return bound
  }
}
