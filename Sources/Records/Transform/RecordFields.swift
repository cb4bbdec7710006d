public import JSONSyntax
internal import ReactorCore

/// Reads a few fields of a record.
///
/// The record as a whole need not match its schema.
public struct RecordFields: Sendable {
  /// The names of the fields, in the order in which they were given.
  public let names: [String]
  private let plan: MappingPlan

  /// Creates a reader of some fields.
  ///
  /// - Parameter names: fields of the schema; the result is nil when `names` is empty or when one of them is not in the
  ///   schema.
  public init?(_ names: [String], of schema: RecordSchema) {
    let fields = schema.fields.filter { names.contains($0.name) }
    guard !names.isEmpty, fields.count == Set(names).count else { return nil }
    self.names = names
    plan = MappingPlan(RecordSchema(name: schema.name, fields: fields))
  }

  /// The fields of an unmapped record in their persisted format.
  ///
  /// The result is nil when a field cannot be read, or when the transform turns the record into several records.
  ///
  /// - Parameter transform: the transform of the flow's records
  public func values(of record: JSONValue, by transform: RecordTransform?) -> JSONObject? {
    var transform = transform ?? RecordTransform()
    transform.responseProgram = nil
    transform.condition = nil
    transform.fieldCheck = nil
    transform.deletion = nil
    let pipeline = RecordPipeline(transform, plan: plan, isStrict: false, seeksFields: false)
    var found: [JSONObject] = []
    do throws(ReactorError) {
      let take: (RecordBatch) throws(ReactorError) -> Void = { (batch) throws(ReactorError) in
        found += values(in: batch)
      }
      try pipeline.take(record, at: 0, emit: take)
      try pipeline.endRound(take)
    } catch {
      return nil
    }
    return found.count == 1 ? found[0] : nil
  }

  /// The fields of each record of a batch, in order; null for a field that the batch does not have.
  public func values(in batch: RecordBatch) -> [JSONObject] {
    let known = batch.fieldNames
    let positions = names.map { known.firstIndex(of: $0) }
    return (0..<batch.count).map { row in
      JSONObject(
        zip(names, positions).map { name, position in
          JSONObject.Member(name: name, value: position.map { batch.value(row, $0) } ?? .null)
        })
    }
  }
}
