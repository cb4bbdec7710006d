/// A flow file with drafted flows of one server.
package struct DraftFile: Sendable {
  /// The flows in the order of the file.
  package var flows: [DraftFlow]
  /// The base URL of the server.
  package var base: String
  /// The description of the file; nil when it is not known.
  package var description: String?
  /// The variables that the flows use.
  package var variables: [String] = []

  /// Creates a file of flows.
  package init(_ flows: [DraftFlow], base: String) {
    self.flows = flows
    self.base = base
  }

  /// The names of the secrets that the flows use, each once. The file does not contain their values.
  package var secrets: [String] {
    var seen: Set<String> = []
    return flows.flatMap(\.secrets).filter { seen.insert($0).inserted }
  }

  /// The text of the file.
  package var text: String {
    var text =
      "# A first draft by 'reactor init'. Comments say what was guessed; 'reactor check' reads it.\nreactor: 1\n"
    if let description { text += "description: \(DraftText.value(description))\n" }
    let secrets = secrets
    if !secrets.isEmpty {
      text += "secrets: [\(secrets.joined(separator: ", "))]  # from the environment or --secret-file\n"
    }
    if !variables.isEmpty {
      text += "vars:  # parts of paths that no flow of this file gives: set them with --var\n"
      for name in variables { text += "  \(name): { type: string, default: \"1\" }\n" }
    }
    text += "\nhttp:\n  base_url: \(DraftText.value(base))\n"
    let (headers, auth) = (sharedHeaders, sharedAuth)
    if let auth { text += "  auth: \(auth.text)\n" }
    if !headers.isEmpty { text += "  headers:\n" + headers.map { "    \($0.line)\n" }.joined() }
    return text + "\nflows:\n" + flows.map { $0.text(besides: headers, auth) }.joined()
  }

  private var sharedHeaders: [DraftParameter] {
    (flows.first?.headers ?? []).filter { field in flows.allSatisfy { $0.headers.contains(field) } }
  }

  /// The authorization that most flows have.
  private var sharedAuth: DraftAuth? {
    var counts: [DraftAuth: Int] = [:]
    for auth in flows.compactMap(\.auth) { counts[auth, default: 0] += 1 }
    return counts.max { ($0.value, $1.key.text) < ($1.value, $0.key.text) }?.key
  }
}
