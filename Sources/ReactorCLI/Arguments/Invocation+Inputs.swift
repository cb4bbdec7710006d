internal import FlowFolders
internal import FlowModel
internal import FlowSpec
internal import SourceDiagnostics

extension Invocation {
  /// Values of variables and secrets that the command line gives.
  struct Inputs {
    var overrides: VariableOverrides
    /// The access to the values of secrets.
    let secrets: SecretReader
    /// Whether the sources are read that flow files name for secrets. Only commands that send requests read them.
    var readsSources = false
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
      secrets: SecretReader(
        fileSecrets: try fileSecrets(options), environment: settings.environment,
        learn: { [console] in console.learn($0) }))
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

  /// Throws when no file declares a variable that `--var` or the environment sets.
  ///
  /// Otherwise a run with a misspelt variable would use the default of the correct one.
  func refuseUnknown(_ overrides: VariableOverrides, _ loaded: LoadedFlows) throws(CommandError) {
    if let slip = settings.misspeltInput(
      variables: loaded.files.flatMap(\.variables).map(\.name.value),
      secrets: loaded.files.flatMap(\.secrets).map(\.value))
    {
      throw CommandError(noEffectOf: slip)
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

  /// The secrets that files name. The streams mask them from now on.
  ///
  /// - Parameter flows: the flows for which sources are read; other secrets of sources stay without a value
  func secrets(
    of files: [FileDeclaration], _ inputs: Inputs, for flows: [FlowDeclaration] = []
  ) throws(CommandError) -> [String: Secret] {
    var values = inputs.secrets.ofFile
    for name in files.flatMap(\.secrets).map(\.value) where values[name] == nil {
      values[name] = try inputs.secrets.given(name)
    }
    console.hide(values)
    guard inputs.readsSources else { return values.mapValues(Secret.init) }
    var needed = NeededSecrets()
    for flow in flows { needed.add(flow.secrets, of: flow.file, given: values) }
    return values.merging(try read(needed, inputs)) { $1 }.mapValues(Secret.init)
  }

  /// The values of secrets in their sources. The streams mask them from now on.
  func read(_ needed: NeededSecrets, _ inputs: Inputs) throws(CommandError) -> [String: String] {
    let (values, problems) = needed.read(by: inputs.secrets)
    console.hide(values)
    guard problems.diagnostics.isEmpty else {
      console.show(problems)
      throw .ended(.notJudged)
    }
    return values
  }
}
