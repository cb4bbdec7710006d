internal import ReactorCore
package import Records
internal import Storage

/// A schema with its mapping plan, shared by all flows that use the schema.
package struct CompiledSchema: Sendable {
  package let schema: RecordSchema
  let plan: MappingPlan
  /// A hash that changes when the mapping changes.
  package let fingerprint: UInt64

  package static let wholeRecords = CompiledSchema(.wholeRecords)

  package init(_ schema: RecordSchema) {
    self.schema = schema
    plan = MappingPlan(schema)
    fingerprint = ContentHash.of(schema.canonicalText.utf8)
  }

  /// The mapping of the fields that are read from a response. It differs from `plan.mapping` only for a schema with
  /// computed fields.
  var mapping: ModelMapping<Record> {
    schema.fields.contains { $0.value != nil } ? schema.mapping : plan.mapping
  }

  /// The mapping plan that reads records written by `plan`.
  var persistedPlan: MappingPlan { MappingPlan(schema.persisted) }
}
