internal import SourceDiagnostics

/// The flows of a plan that `--select` chooses.
///
/// A space or a repeated flag means "or", a comma means "and". For example, `shop.* tag:daily,path:flows/eu` selects
/// every flow of the shop, and the daily flows of `flows/eu`. `!` before a term leaves its flows out: `!tag:slow`
/// selects all others, and `shop.* !shop.orders` selects all flows of the shop but one.
///
/// An atom is one condition. A name with wildcards is compared with a flow's id and with its name. `tag:` is compared
/// with a tag. `path:` is compared with the path of the file, the path of a folder, and the name of the file or of a
/// folder above it. `result:` is compared with the status with which the flow ended in its last run.
package struct FlowSelection: Sendable {
  /// The facts about a flow that are known before it is compiled.
  package struct Candidate: Sendable, Hashable {
    /// The id: the file name without its extension, a dot and the name of the flow.
    package let id: String
    /// The flow's key in its file.
    package let name: String
    /// The flow's tags.
    package let tags: [String]
    /// The flow file as the user named it.
    package let path: String
    /// The status with which the flow ended in its last run: a word of `LastRun.words`.
    package let result: String

    /// Creates the description of a flow.
    package init(
      id: String, name: String, tags: [String] = [], path: String = "", result: String = LastRun.unknown
    ) {
      self.id = id
      self.name = name
      self.tags = tags
      self.path = path
      self.result = result
    }
  }

  /// The terms that select flows: a flow matches a term when it matches all atoms of the term.
  private var selected: [[SelectionAtom]]
  private var excluded: [[SelectionAtom]]

  /// Parses the values of `--select`; without a term that selects flows, every flow is selected.
  package init(_ texts: [String]) throws(CommandError) {
    (selected, excluded) = ([], [])
    for text in texts {
      let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\n" })
      guard !words.isEmpty else {
        throw CommandError("--select is empty", help: "name flows, 'tag:…', 'path:…' or 'result:…'")
      }
      for word in words {
        let isLeftOut = word.hasPrefix("!")
        var atoms: [SelectionAtom] = []
        for part in word.dropFirst(isLeftOut ? 1 : 0).split(separator: ",", omittingEmptySubsequences: false) {
          guard !part.hasPrefix("!") else {
            throw CommandError(
              "--select '\(text)': '!' must be the first character of a term",
              help: "write 'a !b' for flows of a that are not of b")
          }
          atoms.append(try SelectionAtom(String(part), of: text))
        }
        if isLeftOut { excluded.append(atoms) } else { selected.append(atoms) }
      }
    }
  }

  /// Whether an atom refers to the flows' last runs.
  var asksForResults: Bool { (selected + excluded).joined().contains(where: \.asksForResult) }

  /// Whether a flow is selected.
  package func takes(_ flow: Candidate) -> Bool {
    let isSelected = selected.isEmpty || selected.contains { $0.allSatisfy { $0.matches(flow) } }
    return isSelected && !excluded.contains { $0.allSatisfy { $0.matches(flow) } }
  }

  /// Atoms that match no flow, each with a suggestion.
  package func unmatched(among flows: [Candidate]) -> [(text: String, suggestion: String?)] {
    selected.joined().filter { atom in !flows.contains { atom.matches($0) } }
      .map { ($0.text, $0.suggestion(among: flows)) }
  }
}
