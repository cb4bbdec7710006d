internal import FlowSpec
internal import SourceDiagnostics

/// Reads what a command was told: a flag first, then its environment variable, then the default.
package struct Settings: Sendable {
  /// All environment variables.
  package let environment: [String: String]

  /// Takes the environment.
  package init(environment: [String: String]) { self.environment = environment }

  /// A flag's value with the name by which to complain of it; an empty variable is none.
  func value(_ flag: String?, _ name: String) -> (text: String, origin: String)? {
    if let flag { return (flag, "--\(name)") }
    let variable = Self.variable(name)
    guard let text = environment[variable], !text.isEmpty else { return nil }
    return (text, variable)
  }

  /// A flag that is on or off.
  func isOn(_ flag: Bool, _ name: String) throws(UsageError) -> Bool {
    if flag { return true }
    guard let (text, origin) = value(nil, name) else { return false }
    switch text {
    case "1", "true": return true
    case "0", "false": return false
    default: throw UsageError("\(origin) is '\(text)', which is neither true nor false")
    }
  }

  /// A flag that may be repeated; its variable is taken when it is not there at all.
  func values(_ flags: [String], _ name: String) -> [String] {
    flags.isEmpty ? value(nil, name).map { [$0.text] } ?? [] : flags
  }

  /// A whole number of at least 1.
  func count(_ flag: String?, _ name: String, default number: Int) throws(UsageError) -> Int {
    guard let (text, origin) = value(flag, name) else { return number }
    guard let number = Int(text), (1...10_000).contains(number) else {
      throw UsageError("\(origin) is '\(text)', which is no number from 1 to 10000")
    }
    return number
  }

  /// A length of time in seconds, at least 1 ms unless another least one is given.
  func seconds(_ flag: String?, _ name: String, from least: Double = 0.001) throws(UsageError) -> Double? {
    guard let (text, origin) = value(flag, name) else { return nil }
    let seconds: Double
    do throws(ValueError) {
      seconds = try DurationText.seconds(in: text)
    } catch {
      throw UsageError(
        "\(origin) is '\(text)', which is not \(error.expected)",
        help: error.suggestion.map { "did you mean '\($0)'?" } ?? error.detail)
    }
    guard seconds >= least, seconds <= 7 * 86_400 else {
      throw UsageError("\(origin) is '\(text)', which is not from \(least > 0 ? "1 ms" : "0 s") to 7 days")
    }
    return seconds
  }

  /// One of some words.
  func choice<Word: RawRepresentable & CaseIterable>(
    _ flag: String?, _ name: String, default word: Word
  ) throws(UsageError) -> Word where Word.RawValue == String {
    guard let (text, origin) = value(flag, name) else { return word }
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue)
      throw UsageError(
        "\(origin) is '\(text)', which is none of \(words.joined(separator: ", "))",
        help: NearMiss.suggestion(for: text, in: words).map { "did you mean '\($0)'?" })
    }
    return word
  }

  private static func variable(_ name: String) -> String {
    "REACTOR_" + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
  }
}
