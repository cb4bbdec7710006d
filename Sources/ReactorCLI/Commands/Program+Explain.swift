internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics
internal import YAMLSyntax

extension Program {
  /// `reactor explain`: a diagnostic's code, a flow, or a key, in that order.
  func explain(_ command: ExplainCommand) async throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let inputs = try inputs(command.inputs, console)
    let catalogue = DiagnosticCatalogue(
      DiagnosticCatalogue.yamlEntries + DiagnosticCatalogue.flowEntries + DiagnosticCatalogue.runEntries)
    // Codes are taken as they are shown, in brackets too.
    var what = command.what
    if what.hasPrefix("["), what.hasSuffix("]") { what = String(what.dropFirst().dropLast()) }
    if let entry = catalogue[what] {
      out.write(entry.page)
      return .passed
    }
    if what == "graph" { return explainGraph(command, console) }
    let key = FieldReference.explain(what)
    let code = RunCode(word: what)
    // A key needs no flows; files that were not named are not worth a complaint then.
    let files = FlowFiles(command.paths)
    let loaded = files.load()
    let flows = loaded.flows.filter { $0.id == what || $0.name == what }
    if flows.isEmpty {
      if let page = key ?? code?.entry.page {
        out.write(page)
        if key != nil, let code {
          console.warn("'\(what)' is also a kind of error", help: "reactor explain \(code.rawValue)")
        }
        return .passed
      }
      return unknown(what, catalogue, loaded, files, hasPaths: !command.paths.isEmpty, console)
    }
    let exit = await explain(flows, command, inputs, loaded, console)
    if key != nil {
      let word = FieldReference.otherName(of: what, than: Set(loaded.flows.flatMap { [$0.id, $0.name] }))
      console.warn("'\(what)' is also a key of the language", help: word.map { "reactor explain \($0)" })
    }
    return exit
  }

  private func explain(
    _ flows: [FlowDeclaration], _ command: ExplainCommand, _ inputs: Inputs, _ loaded: LoadedFlows, _ console: Console
  ) async -> ExitCode {
    var order = AssemblyOrder()
    order.root = settings.value(command.root, "root")?.text ?? "."
    order.overrides = inputs.overrides
    order.environment = settings.environment
    order.learn = { console.learn($0) }
    order.secrets = secrets(of: loaded.files, inputs, console)
    // What a flow would do can be told without its secrets: they are never shown.
    for name in flows.flatMap(\.file.secrets).map(\.value) where order.secrets[name] == nil {
      order.secrets[name] = Secret("unset-secret")
    }
    let assembled = assembly.assemble(flows, order)
    console.show(assembled.diagnostics)
    let graph = FlowGraph(loaded.flows)
    for (place, explanation) in await assembled.explanations().enumerated() {
      let width = explanation.items.lazy.map(\.heading.count).max() ?? 0
      var text = (place == 0 ? "" : "\n") + console.outStyle.paint(explanation.id, .bold) + "\n"
      for (heading, content) in explanation.items {
        for (number, line) in content.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
          let label = Quantity.padded(number == 0 ? heading : "", to: width)
          text += "  \(label)  \(PrintableText.of(out.masked(String(line)), limit: 2000))\n"
        }
      }
      out.write(text)
      out.write(drawing(around: explanation.id, in: graph, console))
    }
    await assembled.close()
    return assembled.diagnostics.hasErrors ? .configuration : .passed
  }

  private func unknown(
    _ what: String, _ catalogue: DiagnosticCatalogue, _ loaded: LoadedFlows, _ files: FlowFiles, hasPaths: Bool,
    _ console: Console
  ) -> ExitCode {
    let meant =
      NearMiss.suggestion(for: what, in: loaded.flows.map(\.id) + loaded.flows.map(\.name))
      ?? FieldReference.suggestion(for: what) ?? catalogue.suggestion(for: what)
    if loaded.diagnostics.hasErrors, hasPaths || !files.files.isEmpty { console.show(loaded.diagnostics) }
    console.fail(
      "'\(what)' is neither a flow of these files, nor a key, nor a code",
      help: meant.map { "did you mean '\($0)'?" } ?? "'reactor list' shows the flows there are")
    return loaded.diagnostics.hasErrors && !files.files.isEmpty ? .configuration : .nothingSelected
  }
}
