internal import SourceDiagnostics

/// One condition of a selection.
struct SelectionAtom: Sendable {
  private enum Kind: String, CaseIterable {
    case name
    case tag
    case path
    case result
  }

  let text: String
  private let kind: Kind
  private let glob: Glob

  /// Parses `NAME-GLOB`, `tag:GLOB`, `path:GLOB` or `result:GLOB`.
  init(_ text: String, of whole: String) throws(CommandError) {
    self.text = text
    var pattern = text
    var kind = Kind.name
    if let colon = text.firstIndex(of: ":") {
      let word = String(text[..<colon])
      guard let method = Kind(rawValue: word), method != .name else {
        let suggestion = NearMiss.suggestion(for: word, in: ["tag", "path", "result"])
        throw CommandError(
          "--select '\(whole)': flows cannot be selected by '\(word):'",
          help: suggestion.map { "did you mean '\($0):'?" } ?? "select by name, 'tag:', 'path:' or 'result:'")
      }
      kind = method
      pattern = String(text[text.index(after: colon)...])
    }
    guard !pattern.isEmpty else {
      throw CommandError(
        "--select '\(whole)': a part of it is empty", help: "commas stand between two parts, without spaces")
    }
    if kind == .path, pattern.hasPrefix("./") { pattern = String(pattern.dropFirst(2)) }
    if kind == .path, pattern.count > 1, pattern.hasSuffix("/") { pattern = String(pattern.dropLast()) }
    guard let glob = Glob(pattern, isPath: kind == .path) else {
      throw CommandError("--select '\(whole)': a '[' is not closed")
    }
    if kind == .result, !LastRun.words.contains(where: { glob.matches($0) }) {
      throw CommandError(
        "--select '\(whole)': unknown status '\(pattern)'",
        help: NearMiss.suggestion(for: pattern, in: LastRun.words).map { "did you mean 'result:\($0)'?" }
          ?? LastRun.words.joined(separator: ", "))
    }
    self.kind = kind
    self.glob = glob
  }

  /// Whether the atom refers to the flows' last runs.
  var asksForResult: Bool { kind == .result }

  func matches(_ flow: FlowSelection.Candidate) -> Bool {
    switch kind {
    case .name: return glob.matches(flow.id) || glob.matches(flow.name)
    case .tag: return flow.tags.contains { glob.matches($0) }
    case .result: return glob.matches(flow.result)
    case .path:
      var path = Substring(flow.path)
      if path.hasPrefix("./") { path = path.dropFirst(2) }
      if path.split(separator: "/").contains(where: { glob.matches(String($0)) }) { return true }
      // The pattern may match the path itself or any folder above the file.
      while !path.isEmpty {
        if glob.matches(String(path)) { return true }
        guard let slash = path.lastIndex(of: "/") else { return false }
        path = path[..<slash]
      }
      return false
    }
  }

  /// A suggestion for an atom without wildcards that matches no flow.
  func suggestion(among flows: [FlowSelection.Candidate]) -> String? {
    guard glob.isLiteral else { return nil }
    switch kind {
    case .name: return NearMiss.suggestion(for: text, in: flows.map(\.id) + flows.map(\.name))
    case .tag: return NearMiss.suggestion(for: glob.text, in: flows.flatMap(\.tags)).map { "tag:" + $0 }
    case .result: return nil
    case .path: return NearMiss.suggestion(for: glob.text, in: flows.map(\.path)).map { "path:" + $0 }
    }
  }
}
