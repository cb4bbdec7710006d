internal import Fixtures
internal import RunViews
internal import SourceDiagnostics
internal import Storage

extension InitDialogue {
  /// Asks for the name and the file, writes the file, and says how to go on.
  ///
  /// - Parameter name: the name of the first flow
  func write(_ draft: DraftFile, named name: String) throws(CommandError) -> ExitCode {
    var draft = draft
    if command.name == nil, draft.flows.count == 1 {
      draft.flows[0].name = try person.ask(Question(text: "Name of the flow", suggestion: name, form: .secretName))
    }
    var suggestion = "flows/\(ServerName.word(of: draft.base) ?? draft.flows.first?.name ?? name).yaml"
    while true {
      let path = WholeFile.resolvingFolders(
        of: try person.ask(Question(text: "File", suggestion: suggestion, form: .flowFile)))
      if let problem = DraftRehearsal.problems(of: draft.text, path: path).firstError {
        person.complain(problem.message, help: problem.help)
        continue
      }
      let isThere: Bool
      do throws(FixtureError) {
        isThere = try FixtureFiles.read(path) != nil
      } catch {
        person.complain(error.message, help: error.help)
        continue
      }
      if isThere, !command.force {
        person.say("'\(path)' exists already.")
        guard try person.agrees("Replace it?", suggestion: false) else {
          suggestion = Self.unused(path)
          continue
        }
      }
      do throws(FixtureError) {
        try FixtureFiles.write(Array(draft.text.utf8), to: path)
      } catch {
        person.complain(error.message, help: error.help)
        continue
      }
      showNextSteps(path, draft)
      return .passed
    }
  }

  private func showNextSteps(_ path: String, _ draft: DraftFile) {
    let file = ShellText.word(path)
    person.show("\(style.paint("wrote", .good)) \(PrintableText.of(path))\n\n")
    let unset = draft.secrets.filter { invocation.settings.environment[$0]?.isEmpty ?? true || refused.contains($0) }
    if !unset.isEmpty {
      person.say(
        "The file names secrets and has no values. Set them, or write NAME=VALUE into a file for --secret-file:")
      for name in unset { person.show("  export \(name)=...\n") }
    }
    person.say("Next:")
    for command in ["check", "run"] { person.show("  reactor \(command) \(PrintableText.of(file))\n") }
  }

  /// The first free path beside one that exists: `flows/shop_2.yaml`.
  private static func unused(_ path: String) -> String {
    let end = path.hasSuffix(".yml") ? ".yml" : ".yaml"
    let stem = path.dropLast(end.count)
    let free = (2...99).lazy.map { "\(stem)_\($0)\(end)" }.first { name in
      guard let bytes = try? FixtureFiles.read(named: name) else { return true }
      return bytes.isEmpty
    }
    return free ?? path
  }
}

extension DiagnosticBag {
  /// The first error; nil without one.
  fileprivate var firstError: Diagnostic? { diagnostics.first { $0.severity == .error } }
}
