internal import FlowModel
internal import FlowSpec
internal import Records
internal import SourceDiagnostics

extension FlowCompiler.Compiled {
  /// Reports results of flows that may have the path of a file that this flow stores.
  ///
  /// - Parameter outputs: the paths of results, with their flows
  func problems(with outputs: [(path: String, flow: String)]) -> DiagnosticBag {
    var diagnostics = DiagnosticBag()
    guard let download else { return diagnostics }
    for output in outputs where download.value.mayGive(output.path) {
      diagnostics.report(
        Diagnostic(
          FlowCode.duplicateOutput.code,
          "a downloaded file could get the same path as the result of flow '\(output.flow)', \(output.path)",
          at: download.range,
          help: "store the downloaded files in a separate folder"))
    }
    return diagnostics
  }
}
