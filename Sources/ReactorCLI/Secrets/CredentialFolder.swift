internal import FlowFolders
internal import FlowSpec

/// The folder in which systemd gives a service its credentials, each in a file of its name.
struct CredentialFolder {
  private let path: String

  /// The folder that the environment names; nil without one.
  init?(environment: [String: String]) {
    guard let path = environment["CREDENTIALS_DIRECTORY"], !path.isEmpty else { return nil }
    self.path = path
  }

  /// The secret with a name; nil when there is no such credential.
  func value(of name: String) throws(CommandError) -> String? {
    let file = "\(path)/\(name)"
    do throws(SourceReadError) {
      guard try DiskFiles.kind(of: file, isNamed: true) != nil else { return nil }
    } catch {
      throw CommandError("the credential '\(file)' cannot be read: \(error.message)")
    }
    return try SecretText.read("the credential '\(file)'", at: file)
  }
}
