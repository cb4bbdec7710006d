/// The explanation of each diagnostic code, for `reactor explain CODE` and the reference page.
///
/// Each module defines a table of entries. The command-line program joins the tables:
///
/// ```swift
/// let catalogue = DiagnosticCatalogue(DiagnosticCatalogue.yamlEntries + DiagnosticCatalogue.flowEntries)
/// print(catalogue["yaml.duplicate-key"]?.page ?? "")
/// ```
public struct DiagnosticCatalogue: Sendable {
  /// All entries, sorted by code.
  public let entries: [Entry]
  private let indices: [String: Int]

  /// Joins tables of entries. Of several entries with the same code, the first is used.
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

  /// The entry of a code; nil for an unknown code.
  public subscript(_ code: String) -> Entry? { indices[code].map { entries[$0] } }

  /// Suggests the nearest known code for an unknown code.
  ///
  /// The area of the code may be missing: `duplicate-key` finds `yaml.duplicate-key`.
  public func suggestion(for code: String) -> String? {
    if let entry = entries.first(where: { $0.code.rawValue.hasSuffix("." + code) }) { return entry.code.rawValue }
    return NearMiss.suggestion(for: code, in: entries.map(\.code.rawValue))
  }
}

extension DiagnosticCatalogue {
  /// The description of one kind of problem, with an optional example before and after the fix.
  public struct Entry: Sendable, Hashable {
    /// The code, which messages show in brackets at their end.
    public let code: DiagnosticCode
    /// A short name of the problem: lower case, no full stop.
    public let title: String
    /// The reason why this is a problem, and how to fix it: whole sentences.
    public let explanation: String
    /// A short text that has the problem; nil if no example can show it.
    public let wrong: String?
    /// The same text without the problem.
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

    /// Describes a kind of problem; in the example, `‹wrong→right›` marks each difference.
    package init(_ code: String, _ title: String, _ explanation: String, example: String? = nil) {
      let example = example.map(Self.versions)
      self.init(
        DiagnosticCode(rawValue: code), title, explanation, wrong: example?.wrong, right: example?.right)
    }

    /// Splits a text into its wrong and its right version; `‹wrong→right›` marks each difference.
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

    /// The entry as a page of text that ends with a line break.
    ///
    /// Lines have at most 80 columns. Examples keep their own width.
    public var page: String {
      var page = "\(code.rawValue): \(title)\n\n" + Self.wrapped(explanation, columns: 80) + "\n"
      if let wrong { page += "\nWrong:\n\n" + Self.indented(wrong) }
      if let right { page += "\nRight:\n\n" + Self.indented(right) }
      return page
    }

    /// Indents the lines of an example. Tabs are kept; other invisible characters are replaced by visible text.
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
