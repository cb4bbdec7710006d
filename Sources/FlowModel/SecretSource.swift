/// Where a run reads a secret that nobody gives to it.
package enum SecretSource: Sendable, Hashable {
  /// The path of a file whose content is the secret.
  case file(String)
  /// The words of a command that prints the secret, and the seconds after which it is killed.
  case command([String], limit: Double)
  /// The path of a file of SOPS, the names that lead to the value, and the seconds after which `sops` is killed.
  case sops(String, key: [String], limit: Double)

  /// The source in a few words, for messages.
  package var words: String {
    switch self {
    case .file(let path): "the file '\(path)'"
    case .command(let words, _): "the command '\(words.joined(separator: " "))'"
    case .sops(let path, let key, _): "'\(key.joined(separator: "."))' in the SOPS file '\(path)'"
    }
  }
}
