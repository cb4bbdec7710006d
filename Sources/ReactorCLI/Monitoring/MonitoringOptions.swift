internal import ArgumentParser
internal import FlowSpec
internal import Monitoring
internal import RunViews
internal import SourceDiagnostics
internal import Storage

/// The options that hand on what happened in a run.
struct MonitoringOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Writes metrics of all flows after the run, for the textfile collector of Prometheus; the name ends with .prom.",
      valueName: "file"))
  var metrics: String?
}

extension Invocation {
  /// The observers that the options of a run request.
  func monitors(_ command: RunCommand, _ loaded: LoadedFlows) throws(CommandError) -> [any RunObserver] {
    let options = command.monitoring
    guard let (path, origin) = settings.value(options.metrics, "metrics") else { return [] }
    let flows = CurrentFlows(loaded, isWhole: command.selection.paths.isEmpty)
    return [MetricsFile(path: path, origin: origin, root: WholeFile.absolute(root(command.root)), flows: flows)]
  }
}

/// Decides which flows of the history still exist, by the flow files of a run.
struct CurrentFlows: Sendable {
  private let ids: Set<String>
  /// The files whose flows are known; nil when all files are.
  private let files: Set<Substring>?

  /// Uses loaded flow files.
  ///
  /// - Parameter isWhole: whether these are all flow files, so that a flow of another file was removed
  init(_ loaded: LoadedFlows, isWhole: Bool) {
    ids = Set(loaded.flows.map(\.id))
    // Flows of a file with errors are not loaded, but still exist.
    files = isWhole && !loaded.diagnostics.hasErrors ? nil : Set(ids.map(Self.file))
  }

  /// Whether a flow exists as far as is known.
  func has(_ id: String) -> Bool {
    guard let files else { return ids.contains(id) }
    return ids.contains(id) || !files.contains(Self.file(of: id))
  }

  private static func file(of id: String) -> Substring { id.prefix { $0 != "." } }
}
