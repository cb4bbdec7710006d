internal import FlowModel
internal import FlowSpec
internal import JSONSyntax

extension IdentityText {
  /// Adds the names that the requests list, and how the records are joined.
  ///
  /// The limits only divide the names differently. Names of the schema change with the schema, which has an identity of
  /// its own.
  mutating func add(_ groups: FieldGroups) {
    for name in groups.names ?? [] { add("field_groups name", name) }
    for name in groups.always ?? [] { add("field_groups always", name) }
    add("field_groups by \(groups.key.map { JSONPath(singular: $0).text }.joined(separator: " "))")
    if groups.keepsMissing { add("field_groups missing keep") }
  }
}
