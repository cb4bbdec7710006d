internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// How records that a run rejects would be lost for good.
enum LossOfRejected {
  /// The cursor's position moves past the rejected records, and no file or table receives them.
  case passedByCursor
  /// A full refresh removes the earlier versions of the rejected records from the result.
  case removedByRefresh

  fileprivate var reason: String {
    switch self {
    case .passedByCursor: "no later run requests them, because the cursor's position moves past them"
    case .removedByRefresh: "a full refresh removes their earlier versions"
    }
  }

  /// A part of the help: what prevents the loss besides a corrected schema.
  fileprivate var remedy: String {
    switch self {
    case .passedByCursor: ", persist such records with 'rejected: FILE'"
    case .removedByRefresh: ""
    }
  }
}

extension Expectations {
  /// Throws a parser error with the expected and the found number.
  ///
  /// - Parameters:
  ///   - isWhole: whether all records were requested; for a part, the number of records is not checked
  ///   - loss: how a rejected record would be lost for good; nil if a later run can deliver it
  func check(
    _ outcome: Pull.Outcome, isWhole: Bool, loss: LossOfRejected? = nil
  ) throws(ReactorError) {
    let report = outcome.report
    if report.isWhollyRejected { throw Self.allRejected(report) }
    if let most = maxRejected, !most.allows(report.rejected, of: report.total) {
      var error = ReactorError.parser(
        "expected at most \(most.ofRecords) rejected, found \(report.rejected) of \(report.total)")
      error.key = "expect.max_rejected"
      throw error
    }
    // Failed parents are not counted: the next run requests them again.
    let rejected = report.rejected - report.skipped
    if rejected > 0, let loss, maxRejected == nil {
      var error = ReactorError(
        .parser,
        "\(Self.records(rejected)) rejected, and \(loss.reason)\(report.rejections.first.map { "; the first: \($0.reason)" } ?? "")",
        recordIndex: report.rejections.first?.index, pointer: report.rejections.first?.pointer)
      error.key = "schema"
      error.help =
        "fix the schema\(loss.remedy), or allow the loss: 'expect: { max_rejected: N }', "
        + "or --fail-on rejected:N for one run"
      throw error
    }
    guard isWhole else { return }
    if let least = min?.value, report.kept < least {
      throw .parser("expected at least \(Self.records(least)), found \(report.kept)")
    }
    if let most = max?.value, report.kept > most {
      throw .parser("expected at most \(Self.records(most)), found \(report.kept)")
    }
  }

  /// The error for a response or page of which every record was rejected.
  static func allRejected(_ report: PruneReport, of part: String = "") -> ReactorError {
    let first = report.rejections.first.map { "; the first: \($0.reason)" } ?? ""
    var error = ReactorError(
      .parser, "every record\(part) was rejected (\(report.rejected) of \(report.total))\(first)",
      recordIndex: report.rejections.first?.index, pointer: report.rejections.first?.pointer)
    let help = report.rejections.first?.help
    error.key = help == nil ? "records" : "schema"
    error.help =
      help ?? "compare 'records' and 'schema' with the server's responses ('reactor explain FLOW')"
    return error
  }

  /// Compares the number of records with the total in the response. A pull that was cut short is not checked.
  func checkTotal(_ outcome: Pull.Outcome) throws(ReactorError) {
    if outcome.cut == nil, let path = total?.value { try checkTotal(path, outcome) }
  }

  private func checkTotal(_ path: JSONPath, _ outcome: Pull.Outcome) throws(ReactorError) {
    let root: JSONValue
    var first: JSONValue?
    do throws(JSONError) {
      root = try JSONValue(parsing: outcome.envelope ?? [])
      if let envelope = outcome.firstEnvelope { first = try JSONValue(parsing: envelope) }
    } catch {
      throw .parser("the total at \(path.text) cannot be read: \(error)")
    }
    // Some servers give the total only on the first page.
    let values =
      try path.found(in: root) + (try first.map { (root) throws(ReactorError) in try path.found(in: root) } ?? [])
    guard let value = values.first(where: { $0 != .null }) ?? values.first else {
      var error = ReactorError.parser("the response has no total at \(path.text)")
      error.key = "expect.total"
      if let steps = path.singularSteps {
        let missing = MissingPath(steps, in: root)
        error.message += "; \(missing.words)"
        error.help = missing.suggestion.map { "did you mean '\($0)'?" }
      }
      throw error
    }
    guard let total = Self.integer(value) else {
      throw .parser("expected an integer as the total at \(path.text), found \(value.kindName)")
    }
    // A repeated record could hide a missing one, so different keys are counted.
    let count = outcome.report.total - outcome.repeated
    guard total == Int64(count) else {
      let different = outcome.repeated > 0 ? " with different keys" : ""
      var error = ReactorError.parser(
        outcome.pages > 1
          ? "the responses say \(Self.records(Int(clamping: total))) at \(path.text), but their \(outcome.pages) pages contain \(count)\(different)"
          : "the response says \(Self.records(Int(clamping: total))) at \(path.text), but contains \(count)")
      error.key = "expect.total"
      if outcome.repeated > 0 { error.help = PageSigns.remedyOfMovement }
      throw error
    }
  }

  private static func integer(_ value: JSONValue) -> Int64? { value.int64 ?? value.string.flatMap { Int64($0) } }

  /// A count as text: `1 record`, `2 records`.
  static func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }
}
