public import Expressions
public import Reshape

/// What is done with the records of a response besides reading them through a schema.
///
/// In this order: the response is reshaped; each record is reshaped, changed, mapped by the schema, given its computed
/// fields, and kept if it satisfies the condition.
public struct RecordTransform: Sendable {
  /// A program that gets the whole response; its results are taken for responses. The response is held in memory then.
  public var responseProgram: Reshape?
  /// A program that gets each record; its results are the records.
  public var recordProgram: Reshape?
  /// What is changed in each record.
  public var change: RecordChange?
  /// What a record must satisfy to be kept: `record` is the mapped record, `source` the record as it came.
  public var condition: Expression?
  /// What a record says, as it came (`source`), that is gone: of such a record only the key is read.
  public var deletion: (condition: Expression, key: [String])?
  /// The type of a mapped record.
  public var recordType: ExpressionType
  /// The values of all other names.
  public var scope: [String: ExpressionValue]
  /// What `now()` means.
  public var now: ExpressionTimestamp

  /// Builds a transform.
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

  /// Whether mapping gets other records than the response has, or keys of deleted records.
  var makesOtherRecords: Bool {
    responseProgram != nil || recordProgram != nil || change != nil || deletion != nil
  }
}
