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
    "no-input", "no-timing", "openlineage", "otlp",
    "parent", "patch", "port", "quiet", "record", "record-on-error", "report", "root", "run", "secret-file", "select",
    "shard",
    "since", "stale", "state", "state-key", "total-timeout", "unused", "update", "values", "verbose", "writing", "yes",
  ]

  /// An environment variable that is probably misspelt or has an old name, and the right name; nil without one.
  ///
  /// Names that resemble no setting may belong to other programs.
  ///
  /// - Parameter declared: the variables of the flow files
  func misspelt(declared: [String]) -> (name: String, meant: String)? {
    let options = Self.names.map(Self.variable)
    let variables = declared.map { "REACTOR_VAR_\($0)" }
    for name in environment.keys.sorted() where name.hasPrefix("REACTOR_") {
      let isVariable = name.hasPrefix("REACTOR_VAR_")
      let known = isVariable ? variables + variables.map { $0.uppercased() } : options
      guard !known.contains(name) else { continue }
      if let retired = RetiredOption.all.first(where: { Self.variable($0.name) == name }) {
        return (name, retired.present.map { "\(Self.variable($0.option))=\($0.value)" } ?? retired.instead)
      }
      // The prefix is common to all, and would make every name a near one.
      let start = isVariable ? "REACTOR_VAR_".count : "REACTOR_".count
      let candidates = (isVariable ? variables : options).map { String($0.dropFirst(start)) }
      guard let meant = NearMiss.slip(for: String(name.dropFirst(start)), in: candidates) else { continue }
      return (name, name.prefix(start) + meant)
    }
    return nil
  }

  private static func variable(_ name: String) -> String {
    "REACTOR_" + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
  }
}
