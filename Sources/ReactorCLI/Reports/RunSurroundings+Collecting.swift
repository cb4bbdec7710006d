internal import RunViews
internal import SourceDiagnostics

extension RunSurroundings {
  /// Collects what pages about a run show beside its report.
  ///
  /// - Parameters:
  ///   - report: the report; one without times gets no times and no history
  ///   - now: seconds since 1970
  ///   - entries: the entries of the history, the newest last
  init(of report: RunReport, at now: Int64, _ entries: [HistoryEntry]) {
    self.init()
    guard report.hasTiming else { return }
    self.now = now
    add(entries)
  }

  /// Adds the lines of flow files.
  ///
  /// - Parameter mask: masks secrets in a text
  mutating func add(_ files: some Sequence<SourceFile>, mask: (String) -> String) {
    for file in files {
      let whole = String(decoding: file.bytes, as: UTF8.self)
      func split(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
      }
      let lines = split(mask(whole))
      // A secret of several lines would move the lines behind it.
      if lines.count == split(whole).count { self.lines[file.path] = lines }
    }
  }
}
