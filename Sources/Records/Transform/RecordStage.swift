internal import Expressions
internal import JSONSyntax
internal import ReactorCore

/// Computes the fields of mapped records, and asks `where`. One task owns a stage at a time.
final class RecordStage {
  private let computed: ComputedFields
  private let condition: Expression?
  private let recordType: ExpressionType
  private let scope: EvaluationScope
  private let usesRecord: Bool
  /// Whether something asks for the record as it came.
  let needsSource: Bool
  /// Whether `where` asks for the record as it came alone; a record that it leaves out need not fit the schema.
  let judgesSource: Bool
  /// The records as they came from an index on; nil where the response itself has them.
  var sources: (first: Int, values: [ExpressionValue?])?

  /// Nil when nothing is computed and nothing asked.
  init?(_ transform: RecordTransform, _ plan: MappingPlan) {
    computed = ComputedFields(plan)
    condition = transform.condition
    guard !computed.isEmpty || condition != nil else { return nil }
    recordType = transform.recordType
    scope = EvaluationScope(transform.scope, now: transform.now)
    let asked = Set((condition?.references ?? []).map(\.root))
    judgesSource = asked.contains("source") && !asked.contains("record")
    let used = asked.union(computed.references.map(\.root))
    usesRecord = used.contains("record")
    needsSource = used.contains("source")
  }

  /// Whether `where` admits a record as it came, when it asks for nothing else.
  func admits(source: ExpressionValue?) throws(RecordError) -> Bool {
    guard judgesSource, let condition else { return true }
    return try condition.holds("where", in: scope.with("source", source))
  }

  /// Completes a mapped row with its computed fields; false when `where` leaves the record out.
  func completes(
    _ row: UnsafeMutablePointer<Cell>, source: ExpressionValue?, _ decoder: RecordDecoder
  ) throws(RecordError) -> Bool {
    var scope = scope.with("source", source)
    func addRecord(to scope: inout EvaluationScope) {
      if usesRecord { scope.values["record"] = ExpressionValue(decoder.batch.value(of: row), as: recordType) }
    }
    addRecord(to: &scope)
    for field in computed.fields {
      if field.usesComputed { addRecord(to: &scope) }
      try field.compute(row, in: scope, decoder)
    }
    guard let condition, !judgesSource else { return true }
    if !computed.isEmpty { addRecord(to: &scope) }
    return try condition.holds("where", in: scope)
  }
}

extension EvaluationScope {
  /// The same scope with one value.
  func with(_ name: String, _ value: ExpressionValue?) -> EvaluationScope {
    var scope = self
    scope.values[name] = value
    return scope
  }
}

extension Expression {
  /// What a condition says of a record.
  ///
  /// - Parameter key: its key in the language, for messages and as the rule of a rejection
  func holds(_ key: String, in scope: EvaluationScope) throws(RecordError) -> Bool {
    let value: ExpressionValue
    do throws(EvaluationError) {
      value = try evaluate(in: scope, now: scope.now)
    } catch {
      throw RecordError("'\(key)' cannot be answered: \(error.message)", rule: key)
    }
    switch value {
    case .bool(let holds), .json(.bool(let holds)): return holds
    default: throw RecordError("'\(key)' must give true or false, found \(value.typeName)", rule: key)
    }
  }
}
