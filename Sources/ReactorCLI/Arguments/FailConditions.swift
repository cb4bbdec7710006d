internal import FlowModel
internal import FlowSpec
internal import SourceDiagnostics

/// What makes a command fail although no flow failed: the values of `--fail-on`.
struct FailConditions {
  /// Whether an empty selection is a failure.
  var isEmptyFailure = true
  /// Whether a run fails when a flow passed without all its records.
  var isPartialFailure = false
  /// How many records of a flow may be rejected, instead of the limit in its file; nil to use that limit.
  var mostRejected: CountOrShare?

  /// Whether at least one of these conditions can be used only with `reactor run`.
  var isForRuns: Bool { isPartialFailure || mostRejected != nil }

  /// Reads the values of `--fail-on`, or of its environment variable.
  init(_ options: FailOptions, _ settings: Settings) throws(CommandError) {
    let texts = settings.values(options.conditions, "fail-on")
    for text in texts.flatMap({ $0.split(whereSeparator: { $0 == " " || $0 == "," }) }).map(String.init) {
      switch text {
      case "no-flows": isEmptyFailure = true
      case "!no-flows": isEmptyFailure = false
      case "partial": isPartialFailure = true
      case _ where text.hasPrefix("rejected:"):
        guard let most = try? CountOrShare(parsing: String(text.dropFirst("rejected:".count))) else {
          throw CommandError(
            "--fail-on is '\(text)', which has neither a number of records nor a share",
            help: "write rejected:20 for 20 records of a flow, or rejected:5% for a share from 0% to 100%")
        }
        mostRejected = most
      default:
        let words = ["partial", "rejected:5%", "no-flows", "!no-flows"]
        throw CommandError(
          "--fail-on is '\(text)', which is none of \(words.joined(separator: ", "))",
          help: NearMiss.suggestion(for: text, in: words).map { "did you mean '\($0)'?" })
      }
    }
  }
}
