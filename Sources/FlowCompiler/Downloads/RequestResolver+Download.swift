internal import Expressions
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import Records
internal import SourceDiagnostics

extension RequestResolver {
  /// Returns the path of the flow's files; nil without files, or after an error was reported.
  mutating func download(_ declaration: FlowDeclaration) -> Located<PathTemplate>? {
    guard let declared = declaration.download,
      let path = pathTemplate(declared, late: Set(declaration.each?.names ?? []))?.path
    else { return nil }
    do throws(RecordPathError) {
      try path.checkDownload()
      return Located(path, at: declared.range)
    } catch {
      diagnostics.report(FlowCompiler.invalidOutput(error, at: declared.range))
      return nil
    }
  }
}

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
          "a downloaded file may have the path of the result of flow '\(output.flow)', \(output.path)",
          at: download.range,
          help: "store the files in a folder of their own"))
    }
    return diagnostics
  }
}
