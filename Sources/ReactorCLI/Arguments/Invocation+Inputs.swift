internal import FlowFolders
internal import FlowModel
internal import FlowSpec
internal import SourceDiagnostics

extension Invocation {
  /// Values of variables and secrets that the command line gives.
  struct Inputs {
    var overrides: VariableOverrides
    /// Secret values from the secret file, by name.
    var fileSecrets: [String: String]
  }

  func inputs(_ options: InputOptions) throws(CommandError) -> Inputs {
    guard options.secret.isEmpty else {
      throw CommandError(
        "--secret is not accepted: everybody on this machine can read a process's arguments",
        help: "set an environment variable of the secret's name, or write it to a file for --secret-file")
    }
    return Inputs(
      overrides: VariableOverrides(
        arguments: try variables(options.variables), environment: settings.environment),
      fileSecrets: try fileSecrets(options))
  }

  /// The values that `--var` gives, by the names of the variables.
  func variables(_ texts: [String]) throws(CommandError) -> [String: String] {
    var arguments: [String: String] = [:]
    for text in texts {
      guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
        throw CommandError("--var '\(text)' is not NAME=VALUE")
      }
      let name = String(text[..<sign])
      guard arguments.updateValue(String(text[text.index(after: sign)...]), forKey: name) == nil else {
        throw CommandError("--var gives '\(name)' twice")
      }
    }
    return arguments
  }

  /// Throws when no file declares a variable that `--var` sets.
  ///
  /// Otherwise a run with a misspelt variable would use the default of the correct one.
  func refuseUnknown(_ overrides: VariableOverrides, _ loaded: LoadedFlows) throws(CommandError) {
    let declared = loaded.files.flatMap(\.variables).map(\.name.value)
    if let (name, meant) = settings.misspelt(declared: declared) {
      throw CommandError("the environment variable '\(name)' has no effect", help: "did you mean '\(meant)'?")
    }
    var diagnostics = DiagnosticBag()
    overrides.check(against: loaded.files, diagnostics: &diagnostics)
    guard diagnostics.hasErrors else { return }
    // A file that cannot be read may declare the variable, so the errors of the files are shown too.
    diagnostics.merge(loaded.diagnostics)
    console.show(diagnostics)
    throw .ended(.usage)
  }

  private func fileSecrets(_ options: InputOptions) throws(CommandError) -> [String: String] {
    guard let (path, origin) = settings.value(options.secretFile, "secret-file") else { return [:] }
    let bytes: [UInt8]
    let mode: UInt32
    do throws(SourceReadError) {
      (bytes, mode) = try DiskFiles.bytesAndMode(named: path, limit: SecretFile.largest)
    } catch {
      throw CommandError("secret file '\(path)' (\(origin)) cannot be read: \(error.message)")
    }
    let file = try SecretFile(path: path, bytes: bytes)
    // The mode is checked only for regular files, because the mode of a pipe does not show who can read it.
    if mode & 0o170000 == 0o100000, mode & 0o077 != 0 {
      console.warn("secret file '\(path)' can be read or changed by others", help: "chmod 600 \(path)")
    }
    for warning in file.warnings { console.warn(warning) }
    return file.secrets
  }

  /// The secrets that files name, from the secret file, the environment or the credentials of systemd.
  ///
  /// The streams mask them from now on.
  func secrets(of files: [FileDeclaration], _ inputs: Inputs) throws(CommandError) -> [String: Secret] {
    var values = inputs.fileSecrets
    let credentials = CredentialFolder(environment: settings.environment)
    for name in files.flatMap(\.secrets).map(\.value) where values[name] == nil {
      // CI services give an empty text for a secret that they do not have.
      if let value = settings.environment[name], !value.isEmpty {
        values[name] = value
      } else if let value = try credentials?.value(of: name) {
        values[name] = value
      }
    }
    console.hide(values)
    return values.mapValues(Secret.init)
  }
}
