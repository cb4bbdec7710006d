internal import ArgumentParser
internal import FlowFolders
internal import FlowModel
internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics
internal import YAMLSyntax

/// The command `reactor explain`.
struct ExplainCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explain a flow, a key of the language, or the code of a diagnostic.",
    discussion: """
      Examples:
        reactor explain shop.customers               what the flow would do; opens no connection, shows no secret
        reactor explain persistence.expires_after    a key
        reactor explain 'flows.*.prune'
        reactor explain flow.unknown-key             the code behind a message
        reactor explain graph                        which flow takes its records from which others
      """)

  @Argument(help: "A flow's id or name, a key, or a diagnostic's code.")
  var what: String
  @Argument(help: ArgumentHelp("Where to look for the flow. (default: flows)", valueName: "path"))
  var paths: [String] = []
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @Option(help: ArgumentHelp("The folder of the results. (default: .)", valueName: "folder"))
  var root: String?
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode { try await invocation.explain(self) }
}

extension Invocation {
  /// Runs `reactor explain`. The argument is tried as a diagnostic code, a flow and a key, in that order.
  func explain(_ command: ExplainCommand) async throws(CommandError) -> ExitCode {
    let inputs = try inputs(command.inputs)
    let catalogue = DiagnosticCatalogue(
      DiagnosticCatalogue.yamlEntries + DiagnosticCatalogue.flowEntries + DiagnosticCatalogue.runEntries)
    // Messages show codes in brackets, so brackets are accepted here.
    var what = command.what
    if what.hasPrefix("["), what.hasSuffix("]") { what = String(what.dropFirst().dropLast()) }
    if let entry = catalogue[what] {
      out.write(entry.page)
      return .passed
    }
    if what == "graph" { return explainGraph(command, inputs) }
    let key = FieldReference.explain(what)
    let code = RunCode(word: what)
    // Explaining a key needs no flows, so errors in files do not matter for a key.
    let files = FlowFiles(command.paths)
    let loaded = files.load(inputs.overrides)
    let flows = loaded.flows.filter { $0.id == what || $0.name == what }
    if flows.isEmpty {
      if let page = key ?? code?.entry.page {
        out.write(page)
        if key != nil, let code {
          console.warn("'\(what)' is also a kind of error", help: "reactor explain \(code.rawValue)")
        }
        return .passed
      }
      return unknown(what, catalogue, loaded, files, hasPaths: !command.paths.isEmpty)
    }
    let exit = try await explain(flows, command, inputs, loaded)
    if key != nil {
      let word = FieldReference.otherName(of: what, than: Set(loaded.flows.flatMap { [$0.id, $0.name] }))
      console.warn("'\(what)' is also a key of the language", help: word.map { "reactor explain \($0)" })
    }
    return exit
  }

  private func explain(
    _ flows: [FlowDeclaration], _ command: ExplainCommand, _ inputs: Inputs, _ loaded: LoadedFlows
  ) async throws(CommandError) -> ExitCode {
    var order = order(inputs, root: root(command.root))
    order.secrets = try secrets(of: loaded.files, inputs)
    // Secrets are never shown, so a placeholder is enough for the explanation.
    for name in flows.flatMap(\.file.secrets).map(\.value) where order.secrets[name] == nil {
      order.secrets[name] = Secret("unset-secret", standsFor: .unset)
    }
    let assembled = assembly.assemble(flows, order)
    console.show(assembled.diagnostics)
    let graph = FlowGraph(loaded.flows)
    for (index, explanation) in await assembled.explanations().enumerated() {
      let flow = flows.first { $0.id == explanation.id }
      let items = explanation.items + sources(of: flow, order) + receivers(of: flow, order)
      let width = items.lazy.map(\.heading.count).max() ?? 0
      var text = (index == 0 ? "" : "\n") + console.outStyle.paint(explanation.id, .bold) + "\n"
      for (heading, content) in items {
        for (number, line) in content.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
          let label = Quantity.padded(number == 0 ? heading : "", to: width)
          text += "  \(label)  \(PrintableText.of(out.masked(String(line)), limit: 2000))\n"
        }
      }
      out.write(text)
      out.write(drawing(around: explanation.id, in: graph))
    }
    await assembled.close()
    return assembled.diagnostics.hasErrors ? .configuration : .passed
  }

  /// Where a run would read the secrets of a flow that nobody gives to it.
  private func sources(of flow: FlowDeclaration?, _ order: AssemblyOrder) -> [(heading: String, text: String)] {
    guard let file = flow?.file, !file.secretSources.isEmpty else { return [] }
    let names = (flow?.secrets ?? []).union(file.sharedSecrets).sorted()
    return names.compactMap { name in
      guard order.secrets[name]?.placeholder == .unset, let source = file.secretSources[name] else { return nil }
      return ("secret", "\(name): \(source.value.words)")
    }
  }

  /// Who is told about a flow, and what.
  private func receivers(of flow: FlowDeclaration?, _ order: AssemblyOrder) -> [(heading: String, text: String)] {
    guard let flow else { return [] }
    let scope = flow.file.shownScope(order)
    return flow.file.receivers.filter { $0.knows(flow) }.map { receiver in
      let target: String
      do throws(ResolutionError) { target = try receiver.target(in: scope).joined(separator: " ") } catch {
        target = "not told anything: \(error.diagnostic.message)"
      }
      let events = NoticeEvent.allCases.filter(receiver.events.contains).map(\.rawValue)
      return ("notify", "\(receiver.name.value): \(target) (\(events.joined(separator: ", ")))")
    }
  }

  private func unknown(
    _ what: String, _ catalogue: DiagnosticCatalogue, _ loaded: LoadedFlows, _ files: FlowFiles, hasPaths: Bool,

  ) -> ExitCode {
    if loaded.unlocked.contains(where: { $0 == what || $0.hasSuffix(".\(what)") }) {
      console.fail("the fields of '\(what)' are not known yet", help: "'reactor run' infers them")
      return .configuration
    }
    let suggestion =
      NearMiss.suggestion(for: what, in: loaded.flows.map(\.id) + loaded.flows.map(\.name))
      ?? FieldReference.suggestion(for: what) ?? catalogue.suggestion(for: what)
    if loaded.diagnostics.hasErrors, hasPaths || !files.files.isEmpty { console.show(loaded.diagnostics) }
    console.fail(
      "'\(what)' is neither a flow of these files, nor a key, nor a code",
      help: suggestion.map { "did you mean '\($0)'?" } ?? "'reactor list' shows the flows there are")
    return loaded.diagnostics.hasErrors && !files.files.isEmpty ? .configuration : .nothingSelected
  }
}
