package import Records
internal import Storage

/// A schema with its plan, shared by all flows that name it.
package struct CompiledSchema: Sendable {
  package let schema: RecordSchema
  let plan: MappingPlan
  /// Changes when the mapping does.
  package let fingerprint: UInt64

  package static let wholeRecords = CompiledSchema(.wholeRecords)

  package init(_ schema: RecordSchema) {
    self.schema = schema
    plan = MappingPlan(schema)
    fingerprint = ContentHash.of(schema.canonicalText.utf8)
  }

  /// Reads what `plan` has written.
  var persistedPlan: MappingPlan { MappingPlan(schema.persisted) }
}
