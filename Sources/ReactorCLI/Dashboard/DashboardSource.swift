internal import FlowFolders
internal import FlowSpec
internal import RunViews
internal import SharedState
internal import SourceDiagnostics

/// What a dashboard is made from: the history of an output root or of the shared state, and flow files.
struct DashboardSource: Sendable {
  let invocation: Invocation
  private let root: String
  private let database: StateDatabase?
  private let files: [String]
  private let inputs: Invocation.Inputs

  /// Reads the options.
  init(_ invocation: Invocation, _ command: DashboardCommand) throws(CommandError) {
    self.invocation = invocation
    root = invocation.root(command.root)
    database = try invocation.state(command.state)
    files = command.paths
    inputs = try invocation.inputs(command.inputs)
  }

  /// The files whose change means that a dashboard is outdated; none when the runs are in the shared state.
  var stamps: FileStamps? { database == nil ? FileStamps(of: [RunHistory.path(root)]) : nil }

  /// Reads the runs and the flow files.
  func dashboard() async throws(CommandError) -> Dashboard {
    let entries =
      if let database { try await invocation.entries(in: database) } else { RunHistory.entries(root: root) }
    return Dashboard(entries, links: links, tool: ToolVersion.text)
  }

  /// Which flow takes the records of which others; without flow files there are none.
  private var links: [(id: String, parents: [String])] {
    let found = FlowFiles(files)
    // The standard folder may be missing: a machine that only shows runs has no flow files.
    if files.isEmpty, found.files.isEmpty { return [] }
    let loaded = found.load(inputs.overrides)
    if loaded.diagnostics.hasErrors {
      invocation.console.warn("the lineage lacks flows whose files do not load", help: "reactor check")
    }
    let graph = FlowGraph(loaded.flows)
    let ids = graph.ids.map { invocation.out.masked($0) }
    return ids.indices.map { (ids[$0], graph.parents[$0].map { ids[$0] }) }
  }
}
