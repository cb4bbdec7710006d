internal import FlowFolders
internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

extension Invocation {
  /// Runs `reactor explain graph`: prints the parents and children of all flows.
  func explainGraph(_ command: ExplainCommand, _ inputs: Inputs) -> ExitCode {
    let loaded = FlowFiles(command.paths).load(inputs.overrides)
    console.show(loaded.diagnostics)
    let graph = FlowGraph(loaded.flows)
    let linked = Set(graph.ids.indices.filter { !graph.parents[$0].isEmpty || !graph.children[$0].isEmpty })
    for line in graph.drawing(of: linked, label: { label($0, of: graph) }) { out.write(line + "\n") }
    if !console.isQuiet, !loaded.flows.isEmpty {
      let links = linked.isEmpty ? "none takes the records of another" : "\(linked.count) linked by 'each'"
      out.write("\(Quantity.count(graph.ids.count, "flow")), \(links)\n")
    }
    return loaded.diagnostics.hasErrors ? .configuration : loaded.flows.isEmpty ? .nothingSelected : .passed
  }

  /// A drawing of a flow with its ancestors and descendants; empty when it has none.
  func drawing(around id: String, in graph: FlowGraph) -> String {
    guard let flow = graph.ids.firstIndex(of: id), !graph.parents[flow].isEmpty || !graph.children[flow].isEmpty else {
      return ""
    }
    let shown = graph.withAncestors([flow]).union(graph.withDescendants([flow]))
    let lines = graph.drawing(of: shown) { index in
      let text = label(index, of: graph)
      return index == flow ? console.outStyle.paint(text, .bold) + "  (this flow)" : text
    }
    return "  graph\n" + lines.map { "    \($0)\n" }.joined()
  }

  private func label(_ index: Int, of graph: FlowGraph) -> String { PrintableText.of(out.masked(graph.ids[index])) }
}
