internal import FlowModel
internal import FlowSpec
internal import JSONSyntax
internal import ProgramCalls
internal import SourceDiagnostics
internal import Synchronization

/// Reads the secrets of one call of the program, each source at most once.
///
/// What is given has priority over what a flow file names: the secret file, then the environment, then the credentials
/// of systemd.
final class SecretReader: Sendable {
  /// A secret that has no value, although its file names a source.
  struct Unread: Error {
    let message: String
    let help: String
  }

  /// What was read, so that no source is read twice.
  private struct Memory {
    var secrets: [SecretSource: String] = [:]
    /// The decrypted files of SOPS by their paths.
    var files: [String: JSONValue] = [:]
  }

  private let fileSecrets: [String: String]
  private let environment: [String: String]
  private let credentials: CredentialFolder?
  /// Called with what a program printed, before a message can quote it.
  private let learn: @Sendable (String) -> Void
  private let memory = Mutex(Memory())

  /// Creates a reader.
  ///
  /// - Parameter fileSecrets: the values of the secret file, by name
  init(
    fileSecrets: [String: String], environment: [String: String], learn: @escaping @Sendable (String) -> Void
  ) {
    self.fileSecrets = fileSecrets
    self.environment = environment
    self.learn = learn
    credentials = CredentialFolder(environment: environment)
  }

  /// All values of the secret file, by name.
  var ofFile: [String: String] { fileSecrets }

  /// The value that somebody gives to a secret; nil without one.
  func given(_ name: String) throws(CommandError) -> String? {
    if let value = fileSecrets[name] { return value }
    // CI services give an empty text for a secret that they do not have.
    if let value = environment[name], !value.isEmpty { return value }
    return try credentials?.value(of: name)
  }

  /// The secret in a source.
  func value(in source: SecretSource, of name: String) throws(Unread) -> String {
    if let known = memory.withLock({ $0.secrets[source] }) { return known }
    let value: String
    switch source {
    case .file(let path):
      do throws(CommandError) { value = try SecretText.read("the file '\(path)'", at: path) } catch {
        throw Unread(message: error.message, help: remedy(name, "correct the path"))
      }
    case .command(let words, let limit):
      let output = try self.output(of: words, limit, for: name)
      do throws(CommandError) { value = try SecretText.text(of: output, "the output of '\(words[0])'") } catch {
        throw Unread(message: error.message, help: remedy(name, "correct the command"))
      }
    case .sops(let path, let key, let limit):
      value = try text(at: key, in: decrypted(path, limit, for: name), of: path, for: name)
    }
    memory.withLock { $0.secrets[source] = value }
    return value
  }

  private func remedy(_ name: String, _ first: String) -> String {
    "\(first), or set the environment variable \(name)"
  }

  // MARK: - Programs

  /// What a program prints.
  private func output(of words: [String], _ limit: Double, for name: String) throws(Unread) -> [UInt8] {
    var call = ProgramCall(words, environment: environment, limit: .seconds(limit))
    // One more byte than a secret may have.
    call.largestOutput = SecretText.largest + 1
    let outcome: ProgramCall.Outcome
    do throws(ProgramCall.Failure) { outcome = try call.wait() } catch {
      switch error {
      case .notStarted:
        throw Unread(
          message: "'\(words[0])' \(error.message)", help: remedy(name, "install '\(words[0])' or correct its name"))
      case .timeLimit:
        throw Unread(
          message:
            "'\(words[0])' did not end within \(limit == limit.rounded() ? "\(Int(limit))" : "\(limit)") s and was killed",
          help: remedy(name, "run it by hand to see what it waits for, or write a longer 'timeout'"))
      }
    }
    guard !outcome.isSuccess else { return outcome.output }
    // The messages of a program may have the secret that it has just printed.
    if let printed = String(validating: outcome.output, as: UTF8.self) {
      for line in printed.split(whereSeparator: \.isNewline) { learn(String(line)) }
    }
    throw Unread(
      message: "'\(words[0])' \(PrintableText.of(outcome.message, limit: 500))",
      help: remedy(name, "run it by hand: \(ShellText.commandInComment(words))"))
  }

  // MARK: - SOPS

  /// The content of a file of SOPS.
  private func decrypted(_ path: String, _ limit: Double, for name: String) throws(Unread) -> JSONValue {
    if let known = memory.withLock({ $0.files[path] }) { return known }
    let output = try output(of: ["sops", "--decrypt", "--output-type", "json", path], limit, for: name)
    let content: JSONValue
    do throws(JSONError) { content = try JSONValue(parsing: output) } catch {
      throw Unread(message: "the output of 'sops' for '\(path)' is not JSON", help: remedy(name, "correct the file"))
    }
    memory.withLock { $0.files[path] = content }
    return content
  }

  private func text(
    at key: [String], in content: JSONValue, of path: String, for name: String
  ) throws(Unread) -> String {
    var value = content
    for (index, part) in key.enumerated() {
      let inner: JSONValue? =
        switch value {
        case .object(let object): object[part]
        case .array(let elements): Int(part).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        default: nil
        }
      guard let inner else {
        throw Unread(
          message: "'\(path)' has no '\(key[...index].joined(separator: "."))'", help: remedy(name, "correct 'key'"))
      }
      value = inner
    }
    switch value {
    case .string(let text) where !text.isEmpty: return text
    case .number: return String(decoding: PlainJSON.bytes(value), as: UTF8.self)
    default:
      throw Unread(
        message: "'\(key.joined(separator: "."))' in '\(path)' is not a text", help: remedy(name, "correct 'key'"))
    }
  }
}
