extension DiagnosticCatalogue {
  /// One kind of problem: what it is, why it is one, and how the text looks before and after.
  public struct Entry: Sendable, Hashable {
    /// The code as shown in brackets behind a message.
    public let code: DiagnosticCode
    /// What is wrong, in a few words: lower case, no full stop.
    public let title: String
    /// Why it is a problem and how to fix it: whole sentences.
    public let explanation: String
    /// A short text that has the problem, if it can be shown.
    public let wrong: String?
    /// The same text without it.
    public let right: String?

    /// Describes a kind of problem.
    public init(_ code: DiagnosticCode, _ title: String, _ explanation: String, wrong: String?, right: String?) {
      self.code = code
      self.title = title
      self.explanation = explanation
      self.wrong = wrong
      self.right = right
    }

    /// The entry as a page of text of at most 80 columns (examples are as wide as they are), ending with a line end.
    public var page: String {
      var page = "\(code.rawValue): \(title)\n\n" + Self.wrapped(explanation, columns: 80) + "\n"
      if let wrong { page += "\nWrong:\n\n" + Self.indented(wrong) }
      if let right { page += "\nRight:\n\n" + Self.indented(right) }
      return page
    }

    /// Examples keep their tabs and show what else cannot be seen.
    private static func indented(_ text: String) -> String {
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        line.split(separator: "\t", omittingEmptySubsequences: false)
          .map { PrintableText.of(String($0)) }.joined(separator: "\t")
      }
      while lines.last?.isEmpty == true { lines.removeLast() }
      return lines.map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
    }

    private static func wrapped(_ text: String, columns: Int) -> String {
      var lines: [String] = []
      var line = ""
      for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        if !line.isEmpty, line.count + 1 + word.count > columns {
          lines.append(line)
          line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
      }
      if !line.isEmpty { lines.append(line) }
      return lines.joined(separator: "\n")
    }
  }
}
