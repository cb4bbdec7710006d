import FlowModel
import YAMLSyntax

extension FlowReader {
  /// Reads a `retry` of a job or its short form.
  mutating func jobRetry(_ value: FieldValue) -> JobTerms.Retry? {
    if value.node.isScalar {
      return read(JobRetryKeys.max, short: value).map { JobTerms.Retry(max: $0.value) }
    }
    guard let nodes = open(value, as: .jobRetry) else { return nil }
    let wait = reading(JobRetryKeys.wait, of: nodes)
    guard let max = read(JobRetryKeys.max, of: nodes), !wait.isBroken else { return nil }
    var retry = JobTerms.Retry(max: max.value)
    if let wait = wait.value { retry.wait = .seconds(wait.value) }
    return retry
  }

  /// Checks that a job can be found to have failed.
  mutating func checkRetry(_ nodes: FieldNodes) {
    guard let key = nodes.key(JobKeys.retry), nodes.isLeftOut(JobKeys.failed) else { return }
    report(
      .misplacedKey, "'retry' needs 'failed', which says when a job has failed", at: key,
      help: "add 'failed', or leave 'retry' out")
  }
}
