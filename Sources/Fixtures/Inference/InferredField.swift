/// A field of the records, inferred from a sample.
package struct InferredField: Sendable, Hashable {
  /// The name of the field in the record.
  package var name: String
  /// The type in the notation of the flow language.
  package var type: String
  /// Whether the field is absent or null in some of the records.
  package var isOptional: Bool
  /// Whether null is declared as a value of the field.
  package var isNullable = false
  /// The guess and its reason, for a comment. Nil when JSON itself determines the type.
  package var guess: String?
}
