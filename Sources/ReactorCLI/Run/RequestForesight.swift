/// Tells from the words of a command line, before it is parsed, whether requests will be needed.
///
/// Parsing takes a fifth of a short run, in which what requests stand on can be got ready. A wrong guess costs only that
/// it was or was not.
enum RequestForesight {
  /// Whether a line asks servers whatever is persisted: a fresh run, or the first one in its root.
  static func isCertain(_ arguments: [String], _ settings: Settings) -> Bool {
    guard arguments.first == "run" else { return false }
    let words = arguments.prefix { $0 != "--" }
    var root = settings.value(nil, "root")?.text ?? "."
    for (place, word) in words.enumerated() {
      switch word {
      case "--offline", "--dry-run", "--help", "-h": return false
      case "--root" where place + 1 < words.count: root = words[place + 1]
      default: if word.hasPrefix("--root=") { root = String(word.dropFirst(7)) }
      }
    }
    return words.contains("--fresh") || !LastRun.isKnown(root: root)
  }
}
