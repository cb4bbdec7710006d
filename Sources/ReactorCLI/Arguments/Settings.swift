internal import FlowSpec
internal import SourceDiagnostics

/// Looks up options: first the flag, then its environment variable, then the default.
package struct Settings: Sendable {
  /// All environment variables.
  package let environment: [String: String]

  /// Creates settings with an environment.
  package init(environment: [String: String]) { self.environment = environment }

  /// The value of a flag or of its environment variable, with the name of its source for messages.
  ///
  /// Nil when neither is given.
  func value(_ flag: String?, _ name: String) -> (text: String, origin: String)? {
    if let flag { return (flag, "--\(name)") }
    let variable = Self.variable(name)
    guard let text = environment[variable], !text.isEmpty else { return nil }
    return (text, variable)
  }

  /// Whether a flag without a value, or its environment variable, is on.
  func isOn(_ flag: Bool, _ name: String) throws(CommandError) -> Bool {
    if flag { return true }
    guard let (text, origin) = value(nil, name) else { return false }
    switch text {
    case "1", "true": return true
    case "0", "false": return false
    default: throw CommandError("\(origin) is '\(text)', which is neither true nor false")
    }
  }

  /// The values of a flag that may be repeated; without the flag, the value of its environment variable.
  func values(_ flags: [String], _ name: String) -> [String] {
    flags.isEmpty ? value(nil, name).map { [$0.text] } ?? [] : flags
  }

  /// The value of an option as a whole number from 1 to 10,000.
  func count(_ flag: String?, _ name: String, default number: Int) throws(CommandError) -> Int {
    guard let (text, origin) = value(flag, name) else { return number }
    guard let number = Int(text), (1...10_000).contains(number) else {
      throw CommandError("\(origin) is '\(text)', which is not a number from 1 to 10000")
    }
    return number
  }

  /// The value of an option in seconds, up to 7 days.
  func seconds(_ flag: String?, _ name: String, from minimum: Double = 0.001) throws(CommandError) -> Double? {
    guard let (text, origin) = value(flag, name) else { return nil }
    let seconds: Double
    do throws(ValueError) {
      seconds = try DurationText.seconds(in: text)
    } catch {
      throw CommandError(
        "\(origin) is '\(text)', which is not \(error.expected)",
        help: error.suggestion.map { "did you mean '\($0)'?" } ?? error.detail)
    }
    guard seconds >= minimum, seconds <= 7 * 86_400 else {
      throw CommandError("\(origin) is '\(text)', which is not from \(minimum > 0 ? "1 ms" : "0 s") to 7 days")
    }
    return seconds
  }

  /// The value of an option that accepts only certain words.
  func choice<Word: RawRepresentable & CaseIterable>(
    _ flag: String?, _ name: String, default word: Word
  ) throws(CommandError) -> Word where Word.RawValue == String {
    guard let (text, origin) = value(flag, name) else { return word }
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue)
      throw CommandError(
        "\(origin) is '\(text)', which is none of \(words.joined(separator: ", "))",
        help: NearMiss.suggestion(for: text, in: words).map { "did you mean '\($0)'?" })
    }
    return word
  }

  /// The names of all options that an environment variable may give.
  static let names = [
    "allow-record-in-ci", "base-url", "changes", "connect", "diff", "dry-run", "fail-on", "fault", "fixtures", "format",
    "fresh", "grace", "if-running", "jobs", "last", "lease", "max-diffs", "max-fail", "max-per-host", "metrics",
    "no-input", "no-notify", "no-timing", "openlineage", "otlp",
    "parent", "patch", "port", "quiet", "record", "record-on-error", "report", "root", "run", "secret-file", "select",
    "shard",
    "since", "stale", "state", "state-key", "total-timeout", "unused", "update", "values", "verbose", "writing", "yes",
  ]

  /// An environment variable that is probably meant as an option, and the right name; nil without one.
  ///
  /// Names that resemble no option may belong to other programs, or to variables of the flow files.
  var misspeltOption: (name: String, meant: String)? {
    let options = Self.names.map(Self.variable)
    for name in ownVariables where !name.hasPrefix("REACTOR_VAR_") && !options.contains(name) {
      if let retired = RetiredOption.all.first(where: { Self.variable($0.name) == name }) {
        return (name, retired.present.map { "\(Self.variable($0.option))=\($0.value)" } ?? retired.instead)
      }
      if let meant = Self.slip(name, in: options, after: "REACTOR_") { return (name, meant) }
    }
    return nil
  }

  /// An environment variable that is probably meant for a variable or a secret of the flow files, and the right name.
  func misspeltInput(variables: [String], secrets: [String]) -> (name: String, meant: String)? {
    let known = variables.map { "REACTOR_VAR_\($0)" }
    for name in ownVariables {
      if name.hasPrefix("REACTOR_VAR_") {
        guard !(known + known.map { $0.uppercased() }).contains(name) else { continue }
        if let meant = Self.slip(name, in: known, after: "REACTOR_VAR_") { return (name, meant) }
      } else if !Self.names.contains(where: { Self.variable($0) == name }) {
        // A prefix that secrets do not have, or one that variables do have.
        let rest = name.dropFirst("REACTOR_".count)
        let plain = rest.hasPrefix("SECRET_") ? rest.dropFirst("SECRET_".count) : rest
        if let secret = secrets.first(where: { $0.uppercased() == plain.uppercased() && environment[$0] == nil }) {
          return (name, secret)
        }
        if let variable = variables.first(where: { $0.uppercased() == rest.uppercased() }) {
          return (name, "REACTOR_VAR_\(variable)")
        }
      }
    }
    return nil
  }

  /// The names of the environment variables that begin as those of this program, in order.
  private var ownVariables: [String] { environment.keys.filter { $0.hasPrefix("REACTOR_") }.sorted() }

  /// The known name that a misspelt one means. The prefix is common to all, and would make every name a near one.
  private static func slip(_ name: String, in known: [String], after prefix: String) -> String? {
    NearMiss.slip(for: String(name.dropFirst(prefix.count)), in: known.map { String($0.dropFirst(prefix.count)) })
      .map { prefix + $0 }
  }

  private static func variable(_ name: String) -> String {
    "REACTOR_" + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
  }
}
