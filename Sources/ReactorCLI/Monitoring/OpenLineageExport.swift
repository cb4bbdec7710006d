internal import BatchRunner
internal import Fixtures
internal import FlowModel
internal import FlowSpec
internal import HTTPTransport
internal import JSONSyntax
internal import Monitoring
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics
internal import Storage

/// Writes the events of OpenLineage of a run to a file, or sends them to a server.
struct OpenLineageExport: RunObserver {
  private enum Destination {
    case file(String)
    case server(Delivery)
  }

  private let destination: Destination
  private let namespace: String
  private let root: String
  private let flows: [String: LineageFlow]

  /// Reads the variables of OpenLineage.
  ///
  /// - Parameter option: the value of the option or its variable, with its name
  init(
    _ option: (text: String, origin: String), _ environment: [String: String], root: String,
    _ flows: [String: LineageFlow], _ console: Console
  ) throws(CommandError) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    (self.root, self.flows) = (root, flows)
    namespace = value("OPENLINEAGE_NAMESPACE") ?? "reactor"
    guard option.text.contains("://") else {
      destination = .file(option.text)
      return
    }
    guard var url = RequestURL(option.text) else {
      // The text may have a password.
      throw CommandError(
        "\(option.origin) is neither a path nor an http or https URL",
        help: "write a path such as lineage.ndjson, or a URL such as http://localhost:5000")
    }
    if url.path == "/", let whole = RequestURL(option.text + (option.text.hasSuffix("/") ? "" : "/") + Self.path) {
      url = whole
    }
    var delivery = Delivery(url: url, proxies: HTTPProxies(environment: environment))
    if let key = value("OPENLINEAGE_API_KEY") {
      console.learn(key)
      delivery.fields = [Headers.Field("Authorization", "Bearer \(key)")]
    }
    destination = .server(delivery)
  }

  /// The path of servers that have none in their URL.
  private static let path = "api/v1/lineage"

  func observe(_ run: EndedRun, _ console: Console) async -> Set<ExitCode> {
    var lineage = LineageEvents(namespace: namespace, root: root, tool: ToolVersion.text, flows)
    let events = lineage.events(run).map { PlainJSON.bytes($0) }
    switch destination {
    case .server(let delivery):
      guard let problem = await delivery.send(events) else { return [] }
      console.warn(
        "lineage could not be sent to '\(delivery.url.origin)': \(problem)",
        help: "the run and its results are not affected; the server must accept events of OpenLineage")
      return []
    case .file(let path):
      do throws(WholeFile.AccessError) {
        try WholeFile.replace(WholeFile.resolvingFolders(of: path), survivesPowerLoss: false) {
          Array(events.map { $0 + [0x0A] }.joined())
        }
        return []
      } catch {
        console.fail(
          "lineage '\(path)' could not be written: \(error.message)",
          help: "give the user of this process the right to write files into that folder")
        return [.notWritten]
      }
    }
  }
}

extension LineageFlow {
  /// What the flows of a run read and write, by their ids.
  ///
  /// - Parameter root: the output root as an absolute path
  static func all(_ flows: [RunnableFlow], _ declarations: [FlowDeclaration], root: String) -> [String: LineageFlow] {
    let declared = Dictionary(declarations.map { ($0.id, $0) }) { first, _ in first }
    return flows.reduce(into: [:]) { all, flow in
      guard let declaration = declared[flow.id] else { return }
      all[flow.id] = LineageFlow(
        resource: Dataset(namespace: flow.host, name: declaration.pull.request.path.value.sourceText),
        parents: flow.after, result: flow.path.map { result($0, declaration, root: root) })
    }
  }

  private static func result(_ path: String, _ declaration: FlowDeclaration, root: String) -> Dataset {
    if case .table? = declaration.result.targets.first {
      let words = path.split(separator: ":", maxSplits: 1).map(String.init)
      return Dataset(namespace: "store:\(words[0])", name: words.last ?? "")
    }
    return Dataset(namespace: "file", name: path.hasPrefix("/") ? path : root + "/" + path)
  }
}
