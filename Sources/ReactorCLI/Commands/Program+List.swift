internal import FlowSpec
internal import JSONSyntax
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// `reactor list`
  func list(_ command: ListCommand) throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let loaded = FlowFiles(command.selection.paths).load()
    let root = settings.value(command.root, "root")?.text ?? "."
    let selected = try select(command.selection, from: loaded, root: root, console)
    let flows = selected.flows
    console.show(loaded.diagnostics)
    var exit = loaded.diagnostics.hasErrors ? ExitCode.configuration : .passed
    if exit == .passed, flows.isEmpty {
      exit = nothingSelected(selected, of: loaded.flows, console)
    }
    if console.isJSON {
      writeJSON(exit, loaded.diagnostics, [("flows", .array(flows.map(Self.json)))])
      return exit
    }
    let width = min(flows.lazy.map(\.id.count).max() ?? 0, 48)
    let places = flows.map { "\(PrintableText.of($0.file.path)):\($0.range.start.line)" }
    let placeWidth = min(places.lazy.map(\.count).max() ?? 0, 60)
    for (flow, place) in zip(flows, places) {
      var line = "\(Quantity.padded(flow.id, to: width))  \(Quantity.padded(place, to: placeWidth))"
      if !flow.tags.isEmpty { line += "  [" + flow.tags.map { PrintableText.of($0) }.joined(separator: ", ") + "]" }
      while line.hasSuffix(" ") { line.removeLast() }
      out.write(line + "\n")
      if console.isVerbose, let description = flow.description {
        out.write("    \(PrintableText.of(description))\n")
      }
    }
    return exit
  }

  private static func json(_ flow: FlowDeclaration) -> JSONValue {
    .object([
      "id": .string(flow.id), "file": .string(flow.file.path), "line": .integer(Int64(flow.range.start.line)),
      "description": flow.description.map { .string($0) } ?? .null, "tags": .array(flow.tags.map { .string($0) }),
    ])
  }
}
