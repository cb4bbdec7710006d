/// Tells from the words of a command line, before it is parsed, whether requests will be needed.
///
/// Parsing takes a fifth of a short run, in which what requests stand on can be got ready. A wrong guess costs only that
/// it was or was not.
enum RequestForesight {
  /// Whether a line asks servers whatever is persisted: a fresh run, or the first one in its root.
  static func isCertain(_ arguments: [String], _ settings: Settings) -> Bool {
    guard arguments.first == "run" else { return false }
    var root = settings.value(nil, "root")?.text ?? "."
    var isFresh = false
    for (place, word) in arguments.enumerated() {
      switch word {
      case "--": return isFresh || !LastRun.isKnown(root: root)
      case "--offline", "--dry-run", "--help", "-h": return false
      case "--fresh": isFresh = true
      case "--root" where place + 1 < arguments.count: root = arguments[place + 1]
      default: if word.hasPrefix("--root=") { root = String(word.dropFirst(7)) }
      }
    }
    return isFresh || !LastRun.isKnown(root: root)
  }
}
