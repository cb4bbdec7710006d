internal import Records
internal import Storage

/// The validated path of a file of records, relative to the output root.
package struct RecordPath: Sendable {
  let output: OutputPath

  /// Parses a path from a flow file, after its templates are filled in.
  package init(parsing text: String) throws(RecordPathError) {
    do throws(OutputPath.ParsingError) {
      output = try OutputPath(parsing: text)
    } catch {
      throw RecordPathError(message: error.description, help: error.remedy)
    }
  }

  package var text: String { output.text }
  package var isCSV: Bool { output.format == .csv }
  /// Whether the file has one record a line, as text that is not compressed.
  package var isJSONLines: Bool { output.format == .jsonLines && output.compression == nil }
}

/// An error for a text that is not the path of a file of records.
package struct RecordPathError: Error {
  package let message: String
  package let help: String?
}
