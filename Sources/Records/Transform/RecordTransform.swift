public import Expressions
public import JSONSyntax
public import Reshape

/// A condition on the value of one field of a mapped record.
public struct FieldCheck: Sendable {
  /// The name of the field.
  public let field: String
  /// Whether a record with this value is kept; null for a record without a value.
  public let admits: @Sendable (JSONValue) -> Bool
  /// Receives the field's value of each mapped record before `where` is evaluated, and therefore also of records that
  /// `where` leaves out; nil when no receiver is needed.
  public var sees: (@Sendable (JSONValue) -> Void)?

  /// Creates a condition.
  public init(field: String, admits: @escaping @Sendable (JSONValue) -> Bool) {
    self.field = field
    self.admits = admits
  }
}

/// The steps that are applied to the records of a response besides mapping by a schema.
///
/// The order is: the response is reshaped; each record is reshaped, changed, mapped by the schema and given its
/// computed fields; the record is kept if it satisfies the condition.
public struct RecordTransform: Sendable {
  /// A program that receives the whole response; each of its results is read as a response. The response is held in
  /// memory.
  public var responseProgram: Reshape?
  /// A program that receives each record; its results are the records.
  public var recordProgram: Reshape?
  /// The change of each record.
  public var change: RecordChange?
  /// The condition for keeping a record: `record` is the mapped record, `source` the original record.
  public var condition: Expression?
  /// A further condition for keeping a record, on one field of the mapped record.
  public var fieldCheck: FieldCheck?
  /// The condition for a deleted record, on the original record (`source`); of a deleted record only the key is read.
  public var deletion: (condition: Expression, key: [String], rank: String?)?
  /// The type of a mapped record.
  public var recordType: ExpressionType
  /// The values of all names in the scope except `record` and `source`.
  public var scope: [String: ExpressionValue]
  /// The value of `now()`.
  public var now: ExpressionTimestamp

  /// Creates a transform.
  public init(
    responseProgram: Reshape? = nil, recordProgram: Reshape? = nil, change: RecordChange? = nil,
    condition: Expression? = nil, recordType: ExpressionType = .dynamic, scope: [String: ExpressionValue] = [:],
    now: ExpressionTimestamp = .epoch
  ) {
    self.responseProgram = responseProgram
    self.recordProgram = recordProgram
    self.change = change
    self.condition = condition
    self.recordType = recordType
    self.scope = scope
    self.now = now
  }

  /// Whether `where` uses `source` and not `record`; a record that it leaves out then need not match the schema.
  public var judgesSource: Bool {
    let asked = Set((condition?.references ?? []).map(\.root))
    return asked.contains("source") && !asked.contains("record")
  }

  /// Whether the mapped records differ from the records of the response, or are keys of deleted records.
  var makesOtherRecords: Bool {
    responseProgram != nil || recordProgram != nil || change != nil || deletion != nil
  }
}
