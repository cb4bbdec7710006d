internal import ReactorCore
internal import StreamCompression

extension OutputPath {
  /// Loads the library of the file's compression, if it is compressed.
  ///
  /// - Throws: an error with the remedy when the library is not installed
  func loadCompression() throws(ReactorError) {
    guard let compression else { return }
    try compressing { () throws(CompressionError) in try compression.load() }
  }

  /// Runs a step that compresses or decompresses this file; an error of the step gets a message that names the path.
  func compressing<Value>(_ step: () throws(CompressionError) -> Value) throws(ReactorError) -> Value {
    do throws(CompressionError) {
      return try step()
    } catch {
      throw .persistence(
        "cannot use \(text): \(error.message)" + (error.help.map { " (\($0))" } ?? ""), path: text)
    }
  }
}
