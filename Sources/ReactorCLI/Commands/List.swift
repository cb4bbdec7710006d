internal import ArgumentParser
internal import FlowSpec
internal import JSONSyntax
internal import RunViews
internal import SourceDiagnostics

/// The command `reactor list`.
struct ListCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the flows, or those that a selection selects.",
    discussion: """
      Examples:
        reactor list
        reactor list -s tag:daily,path:flows/shop
        reactor list --var regions=eu,us       which flows does 'for' generate from these values?
        reactor list --format json
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @Option(help: ArgumentHelp("The folder of the results. (default: .)", valueName: "folder"))
  var root: String?
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode { try invocation.list(self) }
}

extension Invocation {
  /// Runs `reactor list`.
  func list(_ command: ListCommand) throws(CommandError) -> ExitCode {
    let overrides = try inputs(command.inputs).overrides
    let selected = try select(command.selection, root: root(command.root), overrides: overrides)
    try refuseUnknown(overrides, selected.loaded)
    let (flows, diagnostics) = (selected.flows, selected.loaded.diagnostics)
    console.show(diagnostics)
    let exit = obstacle(selected, diagnostics) ?? .passed
    if console.isJSON {
      writeJSON(exit, diagnostics, [("flows", .array(flows.map(Self.json)))])
      return exit
    }
    let width = min(flows.lazy.map(\.id.count).max() ?? 0, 48)
    let locations = flows.map { "\(PrintableText.of($0.file.path)):\($0.range.start.line)" }
    let locationWidth = min(locations.lazy.map(\.count).max() ?? 0, 60)
    for (flow, location) in zip(flows, locations) {
      var line = "\(Quantity.padded(flow.id, to: width))  \(Quantity.padded(location, to: locationWidth))"
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
