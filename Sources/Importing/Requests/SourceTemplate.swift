/// A text from a file of another program, split into literal texts and variables.
struct SourceTemplate {
  /// A part of the text.
  enum Part {
    case literal(String)
    /// A variable, by the names that lead to it.
    case variable([String])
    /// A value that the flow language can compute.
    case expression(FlowExpression)
    /// A part that cannot be translated: its text as written, and what it would need.
    case unknown(String, needs: String)
  }

  let parts: [Part]

  /// The text of a template without variables.
  var constant: String? {
    var result = ""
    for part in parts {
      guard case .literal(let text) = part else { return nil }
      result += text
    }
    return result
  }

  /// The variables in the text.
  var variables: [[String]] { parts.compactMap { if case .variable(let path) = $0 { path } else { nil } } }

  /// A function that finds the variables in a text, in the notation of a program.
  typealias Notation = (String) -> SourceTemplate
}

/// Why a text cannot be translated.
struct SourceTemplateError: Error {
  let part: String
  let needs: String
}
