package import JSONSyntax

extension ReactorError {
  /// Returns the error of a response that does not have the path of the records.
  ///
  /// - Parameters:
  ///   - path: the path
  ///   - steps: the beginning of the path, as far as its steps name single values
  ///   - isElements: whether the elements of the value at the path are the records
  ///   - root: the response, as far as it is known
  ///   - noun: a word for the text that was read, for the message
  package static func noRecords(
    at path: String, _ steps: [JSONPath.Step] = [], isElements: Bool = false, in root: JSONValue? = nil,
    noun: String = "response"
  ) -> ReactorError {
    var error = ReactorError(.parser, "no records: the \(noun) contains nothing at \(path)")
    error.key = "records"
    guard let root, !steps.isEmpty else { return error }
    let missing = MissingPath(steps, in: root, isList: true)
    error.message += "; \(missing.words)"
    error.help = missing.suggestion.map { "did you mean '\($0)\(isElements ? "[*]" : "")'?" }
    return error
  }

  /// Returns the error of a value that is not an array where an array is required.
  package static func notAnArray(_ kind: String, at steps: [JSONPath.Step]) -> ReactorError {
    guard !steps.isEmpty else { return .parser("the response is not an array but \(kind)") }
    var error = ReactorError.parser("not an array but \(kind)")
    error.pointer =
      steps.reversed().reduce(MappedError("")) { error, step in
        switch step {
        case .name(let name): error.inside(name)
        case .index(let index): error.inside(index)
        }
      }.pointer
    return error
  }

  /// The error of a response with several JSON values, one on each line.
  package static var jsonLines: ReactorError {
    var error = ReactorError.parser(
      "the response is JSON Lines (one JSON value per line), but a single JSON document is expected")
    error.key = "records"
    error.help = "write 'decode: jsonl' in the flow"
    return error
  }

  /// The error of a response that begins like XML.
  package static var markup: ReactorError {
    var error = ReactorError.parser("the response is XML, not JSON")
    error.key = "resource"
    error.help =
      "write 'decode: xml' and the path of the records, or request JSON with 'headers: { Accept: application/json }'"
    return error
  }

  /// Returns the error of a response that is not JSON.
  package static func notJSON(_ error: JSONError, _ text: [UInt8]) -> ReactorError {
    let first = text.first { $0 > 0x20 }
    if first == UInt8(ascii: "{"), let end = text.firstIndex(of: 0x0A),
      (try? JSONValue(parsing: Array(text[..<end]))) != nil
    {
      return .jsonLines
    }
    if HTMLPage.isPage(text) == true { return HTMLPage.refusal(text, insteadOf: "JSON") }
    if first == UInt8(ascii: "<") { return .markup }
    if first == nil { return .parser("the response is empty where JSON should be") }
    let start = text.withUnsafeBufferPointer { TextExcerpt.quoted($0, from: 0) }
    return .broken(
      "the response is not JSON: \(error.message) at byte \(error.offset); it begins with \(start)", by: error)
  }

  /// The error of a text that is not JSON, or whose end is missing.
  static func broken(_ message: String, by error: JSONError) -> ReactorError {
    error.endsEarly ? .cut(message) : .parser(message)
  }

  /// The error of a response that ends in the middle of its content. The request may succeed when it is sent again.
  package static func cut(_ message: String) -> ReactorError {
    var error = ReactorError.parser(message)
    error.isBrokenConnection = true
    return error
  }
}
