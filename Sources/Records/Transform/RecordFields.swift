public import JSONSyntax
internal import ReactorCore

/// Reads a few fields of a record by themselves: of one that does not fit its schema as a whole, too.
public struct RecordFields: Sendable {
  /// The fields, in the order in which they are given.
  public let names: [String]
  private let plan: MappingPlan

  /// - Parameter names: fields of the schema; nil when there are none, or one of them is not in it.
  public init?(_ names: [String], of schema: RecordSchema) {
    let fields = schema.fields.filter { names.contains($0.name) }
    guard !names.isEmpty, fields.count == Set(names).count else { return nil }
    self.names = names
    plan = MappingPlan(RecordSchema(name: schema.name, fields: fields))
  }

  /// The fields of a record as it came, in the form in which they are persisted; nil when one of them cannot be read, or
  /// the record becomes several.
  ///
  /// - Parameter transform: what is done with the flow's records
  public func values(of record: JSONValue, by transform: RecordTransform?) -> JSONObject? {
    var transform = transform ?? RecordTransform()
    transform.responseProgram = nil
    transform.condition = nil
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

  /// The fields of each record of a batch, in order; null where the batch does not have one.
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
