internal import Monitoring
internal import RunViews
internal import Storage

/// Writes the metrics of all flows to a file for the textfile collector of Prometheus.
struct MetricsFile: RunObserver {
  let path: String
  /// The option or variable that names the file.
  let origin: String
  /// The output root as an absolute path.
  let root: String
  let flows: CurrentFlows

  /// What the names of the files that the collector reads end with.
  private static let suffix = ".prom"

  func observe(_ run: EndedRun, _ console: Console) async -> Set<ExitCode> {
    if !path.hasSuffix(Self.suffix) {
      console.warn(
        "\(origin) is '\(path)', and the textfile collector only reads files whose names end with \(Self.suffix)",
        help: "write '\(path)\(Self.suffix)'")
    }
    let observed = ObservedRun(run, root: root, tool: ToolVersion.text, isCurrent: flows.has)
    do throws(WholeFile.AccessError) {
      // The collector runs as another user, whatever this process's umask is.
      try WholeFile.replace(WholeFile.resolvingFolders(of: path), mode: 0o644, survivesPowerLoss: false) {
        PrometheusText.bytes(observed)
      }
      return []
    } catch {
      console.fail(
        "metrics '\(path)' could not be written: \(error.message)",
        help: "give the user of this process the right to write files into that folder")
      return [.notWritten]
    }
  }
}
