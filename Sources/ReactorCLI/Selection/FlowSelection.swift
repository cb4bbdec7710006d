internal import SourceDiagnostics

/// Which flows of a plan are taken: `--select` and `--exclude`.
///
/// A space or a repeated flag unites, a comma intersects: `shop.* tag:daily,path:flows/eu` is every flow of the shop, and
/// the daily ones of `flows/eu`. An atom is a name with wildcards, which is compared with a flow's id and with its name,
/// `tag:` with a tag, `path:` with a path, a folder's path, or the name of the file or of a folder above it, or `result:`
/// with how the flow ended when it was last run.
package struct FlowSelection: Sendable {
  /// What is known of a flow before it is compiled.
  package struct Candidate: Sendable, Hashable {
    /// `file-stem.flow-name`
    package let id: String
    /// The flow's key in its file.
    package let name: String
    /// Its labels.
    package let tags: [String]
    /// The flow file as the user named it.
    package let path: String
    /// How it ended when it was last run: a word of `LastRun.words`.
    package let result: String

    /// Describes a flow.
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

  private let selected: [[SelectionAtom]]
  private let excluded: [[SelectionAtom]]

  /// Reads both flags; without any selection, everything is taken.
  package init(select: [String], exclude: [String]) throws(CommandError) {
    selected = try Self.terms(select, flag: "--select")
    excluded = try Self.terms(exclude, flag: "--exclude")
  }

  /// Whether a flow is taken.
  package func takes(_ flow: Candidate) -> Bool {
    let isSelected = selected.isEmpty || selected.contains { $0.allSatisfy { $0.matches(flow) } }
    return isSelected && !excluded.contains { $0.allSatisfy { $0.matches(flow) } }
  }

  /// Atoms that fit no flow, each with a suggestion.
  package func unmatched(among flows: [Candidate]) -> [(text: String, suggestion: String?)] {
    selected.joined().filter { atom in !flows.contains { atom.matches($0) } }
      .map { ($0.text, $0.suggestion(among: flows)) }
  }

  /// Terms to be united, each of atoms that must all hold.
  private static func terms(_ texts: [String], flag: String) throws(CommandError) -> [[SelectionAtom]] {
    var terms: [[SelectionAtom]] = []
    for text in texts {
      let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\n" })
      guard !words.isEmpty else {
        throw CommandError("\(flag) is empty", help: "name flows, 'tag:…', 'path:…' or 'result:…'")
      }
      for word in words {
        var atoms: [SelectionAtom] = []
        for part in word.split(separator: ",", omittingEmptySubsequences: false) {
          atoms.append(try SelectionAtom(String(part), flag: flag, of: text))
        }
        terms.append(atoms)
      }
    }
    return terms
  }
}
