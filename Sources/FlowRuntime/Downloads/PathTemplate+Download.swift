internal import Expressions
internal import ReactorCore
package import Records
internal import Storage

extension PathTemplate {
  /// Checks the path of files that are stored as received.
  ///
  /// - Throws: when the template cannot give the path of a file, whatever its values
  package func checkDownload() throws(RecordPathError) {
    do throws(OutputPath.ParsingError) {
      _ = try OutputPath(ofAnyFile: sample)
    } catch {
      throw RecordPathError(message: error.description, help: error.remedy)
    }
  }

  /// The path of one file that is stored as received.
  ///
  /// - Throws: `.parser` with the expression whose value cannot be a part of a path
  func download(in scope: EvaluationScope) throws(ReactorError) -> OutputPath {
    let text: String
    do throws(PathTemplate.ValueError) {
      text = try path(in: scope)
    } catch {
      throw .download(
        "the file has no path: '\(error.expression.text)' \(error.words)",
        help: error.help ?? "give a value: coalesce(\(error.expression.text), 'none')")
    }
    do throws(OutputPath.ParsingError) {
      return try OutputPath(ofAnyFile: text)
    } catch {
      throw .download("the path of the file cannot be used: \(error.description)", help: error.remedy)
    }
  }
}

extension ReactorError {
  /// The error for a file that has no usable path.
  static func download(_ message: String, help: String) -> ReactorError {
    var error = ReactorError.parser(message)
    error.key = "download.path"
    error.help = help
    return error
  }
}

extension FlowPlan {
  /// The lines about the files in the flow's explanation.
  func explanation(ofFilesAt path: PathTemplate) -> [FlowExplanation.Item] {
    [
      .init("4 files", "\(path.text), one for each response, as it is received"),
      .init("  records", "one about each file: path, bytes, media_type, sha256"),
    ]
  }
}
