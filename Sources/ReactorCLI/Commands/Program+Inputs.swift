internal import FlowSpec
internal import SourceDiagnostics

extension Program {
  /// Values given for variables and secrets.
  struct Inputs {
    var overrides: VariableOverrides
    /// From the secret file.
    var fileSecrets: [String: String]
  }

  func inputs(_ options: InputOptions, _ console: Console) throws(UsageError) -> Inputs {
    guard options.secret.isEmpty else {
      throw UsageError(
        "--secret is not taken: everybody on this machine can read a process's arguments",
        help: "set an environment variable of the secret's name, or write it to a file for --secret-file")
    }
    var arguments: [String: String] = [:]
    for text in options.variables {
      guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
        throw UsageError("--var '\(text)' is not NAME=VALUE")
      }
      let name = String(text[..<sign])
      guard arguments.updateValue(String(text[text.index(after: sign)...]), forKey: name) == nil else {
        throw UsageError("--var gives '\(name)' twice")
      }
    }
    return Inputs(
      overrides: VariableOverrides(arguments: arguments, environment: settings.environment),
      fileSecrets: try fileSecrets(options, console))
  }

  /// Whether some file declares each `--var`; else says so. A run with a misspelt variable would use its default.
  func areKnown(_ overrides: VariableOverrides, _ loaded: LoadedFlows, _ console: Console) -> Bool {
    var diagnostics = DiagnosticBag()
    overrides.check(against: loaded.files, diagnostics: &diagnostics)
    guard diagnostics.hasErrors else { return true }
    // A file that could not be read may be the one that declares it.
    diagnostics.merge(loaded.diagnostics)
    console.show(diagnostics)
    return false
  }

  private func fileSecrets(_ options: InputOptions, _ console: Console) throws(UsageError) -> [String: String] {
    guard let (path, origin) = settings.value(options.secretFile, "secret-file") else { return [:] }
    let bytes: [UInt8]
    let mode: UInt32
    do throws(SourceReadError) {
      (bytes, mode) = try DiskFiles.bytesAndMode(of: path, limit: SecretFile.largest)
    } catch {
      throw UsageError("secret file '\(path)' (\(origin)) cannot be read: \(error.message)")
    }
    let file = try SecretFile(path: path, bytes: bytes)
    // A pipe's mode says nothing about who reads it.
    if mode & 0o170000 == 0o100000, mode & 0o077 != 0 {
      console.warn("secret file '\(path)' can be read or changed by others", help: "chmod 600 \(path)")
    }
    for warning in file.warnings { console.warn(warning) }
    return file.secrets
  }

  /// The secrets that some files name: from the secret file, else from the environment. They are hidden from now on.
  func secrets(of files: [FileDeclaration], _ inputs: Inputs, _ console: Console) -> [String: Secret] {
    var values = inputs.fileSecrets
    for name in files.flatMap(\.secrets).map(\.value) where values[name] == nil {
      // CI services hand over a secret that they do not have as an empty text.
      if let value = settings.environment[name], !value.isEmpty { values[name] = value }
    }
    console.hide(values)
    return values.mapValues(Secret.init)
  }
}
