internal import FlowSpec
internal import FlowModel
internal import SourceDiagnostics

extension FlowCompiler {
  /// Reports why a result cannot be split by fields of its records.
  static func problems(ofSplit declaration: FlowDeclaration, _ diagnostics: inout DiagnosticBag) {
    let result = declaration.result
    for case .file(let path) in result.copies where path.value.isSplit {
      problems(ofEnding: path, &diagnostics)
    }
    guard let path = result.target?.path, path.value.isSplit else { return }
    func report(_ message: String, help: String) {
      diagnostics.report(Diagnostic(FlowCode.invalidOutput.code, message, at: path.range, help: help))
    }
    let rest = "or leave the fields of records out of the path"
    if result.mode != .replace {
      report(
        "a result split by fields of records is replaced as a whole, "
          + "so 'mode: \(result.mode.rawValue)' is not possible",
        help: "leave 'mode' out, \(rest)")
    } else if declaration.each?.skipsFailed ?? false {
      report(
        "a result split by fields of records would lose the records of parents whose request fails",
        help: "add 'on_error: fail' to 'each', \(rest)")
    }
    problems(ofEnding: path, &diagnostics)
  }

  private static func problems(ofEnding path: Located<Template>, _ diagnostics: inout DiagnosticBag) {
    func report(_ message: String, help: String) {
      diagnostics.report(Diagnostic(FlowCode.invalidOutput.code, message, at: path.range, help: help))
    }
    if case .text(let end)? = path.value.segments.last {
      guard end.contains(".jsonl") || end.contains(".csv") else {
        return report("a path with fields of records cannot be a JSON array", help: "end the path with .jsonl or .csv")
      }
    } else {
      report(
        "the extension of a path cannot come from a field of records",
        help: "write the extension itself at the end: .jsonl or .csv")
    }
  }
}
