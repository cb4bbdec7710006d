internal import Expressions
internal import JSONSyntax
internal import ReactorCore

/// Computes the fields of mapped records, and evaluates `where`. One task owns a stage at a time.
final class RecordStage {
  private let computed: ComputedFields
  private let condition: Expression?
  /// The condition on one field, and the position of the field.
  private let fieldCheck: (position: Int, check: FieldCheck)?
  private let recordType: ExpressionType
  private let scope: EvaluationScope
  private let usesRecord: Bool
  /// Whether an expression uses the original record.
  let needsSource: Bool
  /// Whether `where` uses `source` and not `record`; a record that it leaves out then need not match the schema.
  let judgesSource: Bool
  /// The original records, the first with the index `first`; nil if they are read from the response itself.
  var sources: (first: Int, values: [ExpressionValue?])?

  /// Creates a stage; nil when there are no computed fields and no conditions.
  init?(_ transform: RecordTransform, _ plan: MappingPlan) {
    computed = ComputedFields(plan)
    condition = transform.condition
    fieldCheck = transform.fieldCheck.flatMap { check in
      plan.objects[0].mappings.firstIndex { $0.name == check.field }.map { ($0, check) }
    }
    guard !computed.isEmpty || condition != nil || fieldCheck != nil else { return nil }
    recordType = transform.recordType
    scope = EvaluationScope(transform.scope, now: transform.now)
    judgesSource = transform.judgesSource
    let used = Set(((condition?.references ?? []) + computed.references).map(\.root))
    usesRecord = used.contains("record")
    needsSource = used.contains("source")
  }

  /// Whether `where` accepts an original record; true without evaluation when `judgesSource` is false.
  func admits(source: ExpressionValue?) throws(RecordError) -> Bool {
    guard judgesSource, let condition else { return true }
    return try condition.holds("where", in: scope.with("source", source))
  }

  /// Completes a mapped row with its computed fields; false when a condition leaves the record out.
  func completes(
    _ row: UnsafeMutablePointer<Cell>, source: ExpressionValue?, _ decoder: RecordDecoder
  ) throws(RecordError) -> Bool {
    guard let (position, check) = fieldCheck else { return try satisfies(row, source: source, decoder) }
    guard try satisfies(row, source: source, decoder, sees: { check.sees?(decoder.batch.value(row[position])) })
    else { return false }
    return check.admits(decoder.batch.value(row[position]))
  }

  /// Completes a row; false when `where` leaves the record out.
  ///
  /// - Parameter sees: called when the row is complete, before `where` is evaluated
  private func satisfies(
    _ row: UnsafeMutablePointer<Cell>, source: ExpressionValue?, _ decoder: RecordDecoder, sees: () -> Void = {}
  ) throws(RecordError) -> Bool {
    guard !computed.isEmpty || condition != nil else {
      sees()
      return true
    }
    var scope = scope.with("source", source)
    func addRecord(to scope: inout EvaluationScope) {
      if usesRecord { scope.values["record"] = ExpressionValue(decoder.batch.value(of: row), as: recordType) }
    }
    addRecord(to: &scope)
    for field in computed.fields {
      if field.usesComputed { addRecord(to: &scope) }
      try field.compute(row, in: scope, decoder)
    }
    sees()
    guard let condition, !judgesSource else { return true }
    if !computed.isEmpty { addRecord(to: &scope) }
    return try condition.holds("where", in: scope)
  }
}

extension EvaluationScope {
  /// The same scope with one more value.
  func with(_ name: String, _ value: ExpressionValue?) -> EvaluationScope {
    var scope = self
    scope.values[name] = value
    return scope
  }
}

extension Expression {
  /// The result of a condition for a record.
  ///
  /// - Parameter key: the condition's key in the language, for messages and as the rule of a rejection
  func holds(_ key: String, in scope: EvaluationScope) throws(RecordError) -> Bool {
    let value: ExpressionValue
    do throws(EvaluationError) {
      value = try evaluate(in: scope, now: scope.now)
    } catch {
      throw RecordError("'\(key)' cannot be evaluated: \(error.message)", rule: key)
    }
    switch value {
    case .bool(let holds), .json(.bool(let holds)): return holds
    default: throw RecordError("'\(key)' must give true or false, found \(value.typeName)", rule: key)
    }
  }
}
