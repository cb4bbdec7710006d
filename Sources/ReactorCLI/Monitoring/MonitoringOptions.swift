internal import ArgumentParser
internal import BatchRunner
internal import FlowRuntime
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
  /// Without a URL it stands for `true` (see `ParsedCommand.spelledOut`).
  @Option(
    help: ArgumentHelp(
      "Sends metrics and a trace after the run to a receiver of OpenTelemetry (OTLP over HTTP). Without a URL: OTEL_EXPORTER_OTLP_ENDPOINT, or http://localhost:4318.",
      valueName: "url"))
  var otlp: String?
  @Option(
    help: ArgumentHelp(
      "Writes the events of OpenLineage after the run to a file as JSON Lines, or sends them to a server.",
      valueName: "file-or-url"))
  var openlineage: String?
  @Flag(name: .customLong("no-notify"), help: "Tell no receiver of 'notify' how the flows are.")
  var noNotify = false
}

extension MonitoringOptions {
  /// Creates what records the trace of a run; nil when no option requests it, so that nothing is recorded.
  func recorder(_ settings: Settings) -> TraceRecorder? { otlp(settings).map { _ in TraceRecorder() } }

  /// The receiver of metrics and traces.
  private func otlp(_ settings: Settings) -> (text: String, origin: String)? {
    settings.value(otlp, "otlp").flatMap { ["0", "false"].contains($0.text) ? nil : $0 }
  }

  /// Adds the observers that the options of a run request.
  ///
  /// - Parameters:
  ///   - recorder: that of `recorder(_:)`
  ///   - tracing: the trace of which the run is a part
  func add(
    to ending: inout RunEnding, of command: RunCommand, _ loaded: LoadedFlows, _ assembled: [RunnableFlow],
    _ recorder: TraceRecorder?, _ tracing: RunTracing, _ invocation: Invocation
  ) throws(CommandError) {
    let (settings, console) = (invocation.settings, invocation.console)
    let metrics = settings.value(metrics, "metrics")
    let otlp = otlp(settings)
    let lineage = settings.value(openlineage, "openlineage")
    guard metrics != nil || otlp != nil || lineage != nil else { return }
    let flows = CurrentFlows(loaded, isWhole: command.selection.paths.isEmpty)
    let root = WholeFile.absolute(invocation.root(command.root))
    if let metrics {
      ending.observers.append(MetricsFile(path: metrics.text, origin: metrics.origin, root: root, flows: flows))
    }
    if let otlp, let recorder {
      ending.observers.append(try OTLPExport(otlp, settings.environment, root: root, flows, recorder, tracing, console))
      ending.trace = recorder
    }
    if let lineage {
      ending.observers.append(
        try OpenLineageExport(
          lineage, settings.environment, root: root, LineageFlow.all(assembled, loaded.flows, root: root), console))
    }
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
