import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads the conditions that a result must meet.
  mutating func expect(_ value: FieldValue) -> Expectations? {
    guard let nodes = open(value, as: .expect) else { return nil }
    var expect = Expectations()
    expect.min = read(ExpectKeys.min, of: nodes)
    expect.max = read(ExpectKeys.max, of: nodes)
    expect.total = read(ExpectKeys.total, of: nodes)
    expect.maxRejected = read(ExpectKeys.maxRejected, of: nodes)
    expect.status = read(ExpectKeys.status, of: nodes) ?? []
    if let min = expect.min, let max = expect.max, min.value > max.value {
      report(
        .impossibleExpectation, "'max' (\(max.value)) is less than 'min' (\(min.value))",
        at: max.range, notes: [Diagnostic.Note("'min' is declared here", at: min.range)])
    }
    return expect
  }

  /// Reads the statuses that mean success.
  mutating func statuses(_ value: FieldValue) -> [ClosedRange<Int>]? {
    guard let values = oneOrMore(of: value) else { return nil }
    if values.isEmpty { report(.missingValue, "'status' is empty", at: value.node.range, help: "leave it out") }
    return values.compactMap { status($0) }
  }

  private mutating func status(_ value: FieldValue) -> ClosedRange<Int>? {
    guard let text = text(value) else { return nil }
    if let range = StatusText.range(text) { return range }
    return fail(
      .invalidStatus, "'\(printable(text))' is not a status", at: value.node.range,
      help: "write 200, 2xx or 200-299")
  }
}
