/// An option that earlier versions had. It is refused with an error that names its replacement.
struct RetiredOption: Sendable {
  /// The option's name, without hyphens.
  let name: String
  /// The option that does the same now, with its value; nil when there is none.
  let present: (option: String, value: String)?
  /// What to do instead, as part of a sentence.
  let instead: String

  /// All options that were removed or renamed since an earlier version.
  static let all: [RetiredOption] = [
    .init("allow-prune", "fail-on", "rejected:N"), .init("exclude", "select", "'!…'"),
    .init("fail-fast", "max-fail", "1"), .init("fail-partial", "fail-on", "partial"),
    .init("full-refresh", "fresh", "everything"), .init("last-failed", "select", "'!result:passed'"),
    .init("max-rejected", "fail-on", "rejected:N"), .init("no-flows", "fail-on", "'!no-flows'"),
    .init("offline", "fresh", "never"), .init("retry-rejected", "fresh", "rejected"),
    .init("revalidate", "fresh", "validate"),
    .init("color", instead: "set NO_COLOR=1 or FORCE_COLOR=1 in the environment"),
    .init("timeout", instead: "write 'http: { timeout: 5m }' in the flow file"),
  ]

  private init(_ name: String, _ option: String, _ value: String) {
    self.name = name
    present = (option, value)
    instead = "write --\(option)=\(value)"
  }

  private init(_ name: String, instead: String) {
    self.name = name
    present = nil
    self.instead = instead
  }

  /// Returns the error for the first retired option among refused arguments; nil when they contain none.
  static func refusal(of arguments: [String]) -> String? {
    for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
      let name = argument.dropFirst(2).prefix { $0 != "=" }
      guard let option = all.first(where: { $0.name == name }) else { continue }
      return "error: there is no option --\(name) any more\n     = help: \(option.instead)\n"
    }
    return nil
  }
}
