package import Records
internal import Storage

/// The validated path of a file of records, relative to the output root; or of several files, by values of the records.
package struct RecordPath: Sendable {
  /// A path with fields of records, which leads to several files.
  struct Split: Sendable {
    /// Gives the path of the file for each record.
    let template: SplitTemplate
    /// An example of the path, with a letter instead of each value.
    let sample: OutputPath
  }

  /// The file of the result; of several files, the file that lists them.
  let output: OutputPath
  /// The template of the path for a result in several files; nil for one file.
  let split: Split?
  /// The path, as messages show it.
  package let text: String

  /// Parses a path from a flow file, after its templates are filled in.
  package init(parsing text: String) throws(RecordPathError) {
    output = try Self.parsed(text)
    split = nil
    self.text = output.text
  }

  /// Creates a path into which values of the records are filled in.
  package init(splitting template: SplitTemplate) throws(RecordPathError) {
    let sample = try Self.parsed(template.path.sample)
    guard sample.format != .json else {
      throw RecordPathError(
        message: "a path with fields of records cannot be a JSON array", help: "end the path with .jsonl or .csv")
    }
    output = OutputPath.manifest(of: template.path.text, like: sample)
    split = Split(template: template, sample: sample)
    text = template.path.text
  }

  private static func parsed(_ text: String) throws(RecordPathError) -> OutputPath {
    do throws(OutputPath.ParsingError) {
      return try OutputPath(parsing: text)
    } catch {
      throw RecordPathError(message: error.description, help: error.remedy)
    }
  }

  package var isCSV: Bool { output.format == .csv }
  /// Whether the result is one file with one record per line, as text that is not compressed.
  package var isJSONLines: Bool { output.format == .jsonLines && output.compression == nil && split == nil }
}

/// An error for a text that is not the path of a file of records.
package struct RecordPathError: Error {
  package let message: String
  package let help: String?
}
