/// What a sample of records says about one field.
package struct InferredField: Sendable, Hashable {
  /// Its name in the record.
  package var name: String
  /// Its type in the words of the language.
  package var type: String
  /// Whether some of the records lack it or have null.
  package var isOptional: Bool
  /// Whether null is declared to be a value of it.
  package var isNullable = false
  /// What was guessed and why, for a comment; nil when the type is what JSON says.
  package var guess: String?
}
