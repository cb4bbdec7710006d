/// What each diagnostic code means, for `reactor explain CODE` and the reference page.
///
/// Every module has a table of its entries; the command line joins them:
///
/// ```swift
/// let catalogue = DiagnosticCatalogue(DiagnosticCatalogue.yamlEntries + DiagnosticCatalogue.flowEntries)
/// print(catalogue["yaml.duplicate-key"]?.page ?? "")
/// ```
public struct DiagnosticCatalogue: Sendable {
  /// All entries, by code.
  public let entries: [Entry]
  private let indices: [String: Int]

  /// Joins tables; if two entries have one code, the first is used.
  public init(_ entries: [Entry]) {
    var indices: [String: Int] = [:]
    let unique = entries.sorted { $0.code.rawValue < $1.code.rawValue }.filter { entry in
      guard indices[entry.code.rawValue] == nil else { return false }
      indices[entry.code.rawValue] = indices.count
      return true
    }
    self.entries = unique
    self.indices = indices
  }

  /// The entry of a code, if any.
  public subscript(_ code: String) -> Entry? { indices[code].map { entries[$0] } }

  /// The code that was probably meant by one that does not exist; the area may be left out (`duplicate-key`).
  public func suggestion(for code: String) -> String? {
    if let entry = entries.first(where: { $0.code.rawValue.hasSuffix("." + code) }) { return entry.code.rawValue }
    return NearMiss.suggestion(for: code, in: entries.map(\.code.rawValue))
  }
}

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
    public init(
      _ code: DiagnosticCode, _ title: String, _ explanation: String, wrong: String? = nil, right: String? = nil
    ) {
      self.code = code
      self.title = title
      self.explanation = explanation
      self.wrong = wrong
      self.right = right
    }

    /// Describes a kind of problem with an example in which `‹wrong→right›` marks what differs.
    package init(_ code: String, _ title: String, _ explanation: String, example: String? = nil) {
      let example = example.map(Self.versions)
      self.init(
        DiagnosticCode(rawValue: code), title, explanation, wrong: example?.wrong, right: example?.right)
    }

    /// Both versions of a text in which `‹wrong→right›` marks what differs.
    package static func versions(of marked: String) -> (wrong: String, right: String) {
      var (wrong, right) = ("", "")
      for part in marked.split(separator: "‹", omittingEmptySubsequences: false) {
        guard let arrow = part.firstIndex(of: "→"), let end = part[arrow...].firstIndex(of: "›") else {
          wrong += part
          right += part
          continue
        }
        let rest = part[part.index(after: end)...]
        wrong += part[..<arrow] + rest
        right += part[part.index(after: arrow)..<end] + rest
      }
      return (wrong, right)
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

/// The stable name of a kind of problem, for example `yaml.duplicate-key`.
public struct DiagnosticCode: Sendable, Hashable, RawRepresentable {
  /// `area.kind` in lower case with hyphens; never changes once released.
  public let rawValue: String

  /// Names a code.
  public init(rawValue: String) { self.rawValue = rawValue }
}
