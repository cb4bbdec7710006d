/// Collects what an import carries over and what it loses.
class ImportLog {
  var report: ImportReport
  /// Values that no text of the result may contain.
  private(set) var hidden = HiddenValues()
  private var skipped: Set<String> = []

  init(_ noun: ImportReport.Noun) { report = ImportReport(noun: noun) }

  /// Hides a value in everything that is recorded from now on.
  final func hide(_ value: String) { hidden.insert(value) }

  /// A text without the hidden values.
  func masked(_ text: String) -> String { hidden.masked(text) }

  /// Records a loss, and returns its comment.
  ///
  /// - Parameter flow: the flow whose part is lost; nil for the whole file
  @discardableResult
  final func lose(
    _ kind: ImportReport.Kind, _ what: String, needs: String, at origin: OutputMapping.Origin, flow: String? = nil
  ) -> String {
    let entry = ImportReport.Entry(
      kind: kind, what: OutputText.flat(masked(what)), needs: OutputText.flat(masked(needs)), path: origin.path,
      line: origin.line, flow: flow)
    report.losses.append(entry)
    return entry.comment
  }

  /// Records a part that flows do not need, once.
  final func skip(_ what: String, reason: String, at origin: OutputMapping.Origin) {
    guard skipped.insert("\(origin.path)\u{0}\(what)").inserted else { return }
    report.unneeded.append(
      ImportReport.Entry(
        kind: .configuration, what: OutputText.flat(masked(what)), needs: reason, path: origin.path, line: origin.line,
        flow: nil))
  }
}
