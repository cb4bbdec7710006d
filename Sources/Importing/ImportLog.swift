/// Collects what an import carries over and what it loses.
class ImportLog {
  var report: ImportReport
  /// Secret values, which no text of the result may contain.
  private(set) var hidden = HiddenValues()
  private var skipped: Set<String> = []

  init(_ noun: ImportReport.Noun) { report = ImportReport(noun: noun) }

  /// Hides a value in everything that is recorded from now on.
  final func hide(_ value: String) { hidden.insert(value) }

  /// The text with `***` instead of each hidden value.
  func masked(_ text: String) -> String { hidden.masked(text) }

  /// Records a part that is lost, and returns the comment on it for the flow file.
  ///
  /// - Parameter flow: the flow that the lost part belongs to; nil for the whole file
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

  /// Records a part that flows do not need; a part that is already recorded is ignored.
  final func skip(_ what: String, reason: String, at origin: OutputMapping.Origin) {
    guard skipped.insert("\(origin.path)\u{0}\(what)").inserted else { return }
    report.unneeded.append(
      ImportReport.Entry(
        kind: .configuration, what: OutputText.flat(masked(what)), needs: reason, path: origin.path, line: origin.line,
        flow: nil))
  }
}
