internal import Expressions
internal import ReactorCore
package import Records
internal import Storage

/// How the responses of a flow are stored as files.
package struct DownloadPlan: Sendable {
  /// The path of the file of each request.
  package let path: PathTemplate

  /// Creates a plan.
  ///
  /// - Throws: when no values give the path of a file
  package init(_ path: PathTemplate) throws(RecordPathError) {
    self.path = path
    do throws(OutputPath.ParsingError) {
      _ = try OutputPath(ofAnyFile: path.sample)
    } catch {
      throw RecordPathError(message: error.description, help: error.remedy)
    }
  }

  /// The path of one file.
  ///
  /// - Throws: `.parser` with the expression whose value cannot be a part of a path
  func path(in scope: EvaluationScope) throws(ReactorError) -> OutputPath {
    let text: String
    do throws(PathTemplate.ValueError) {
      text = try path.path(in: scope)
    } catch {
      throw Self.error(
        "the file has no path: '\(error.expression.text)' \(error.words)",
        help: error.help ?? "give a value: coalesce(\(error.expression.text), 'none')")
    }
    do throws(OutputPath.ParsingError) {
      return try OutputPath(ofAnyFile: text)
    } catch {
      throw Self.error("the path of the file cannot be used: \(error.description)", help: error.remedy)
    }
  }

  static func error(_ message: String, help: String) -> ReactorError {
    var error = ReactorError.parser(message)
    error.key = "download.path"
    error.help = help
    return error
  }
}

extension FlowPlan {
  /// The files as parts of the flow's description.
  func explanation(of download: DownloadPlan) -> [FlowExplanation.Item] {
    [
      .init("4 files", "\(download.path.text), one for each response, as it is received"),
      .init("  records", "one about each file: path, bytes, media_type, sha256"),
    ]
  }
}
