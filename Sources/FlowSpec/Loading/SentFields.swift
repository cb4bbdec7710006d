import FieldTypes
import SourceDiagnostics

/// Compares the schema of sent records with the schema of the stored records.
struct SentFields {
  private let sent: SentRecordsDeclaration
  /// The source of the records, as messages name it.
  private let source: String

  init(_ sent: SentRecordsDeclaration, from source: String) {
    self.sent = sent
    self.source = source
  }

  /// The error for the first sent field that is missing in the stored records, or whose type does not allow their
  /// values.
  func error(given stored: SchemaDeclaration) -> Diagnostic? {
    guard let schema = sent.schema, schema.range != stored.range else { return nil }
    for field in schema.fields where field.value == nil {
      guard let own = stored.fields.first(where: { $0.name == field.name }) else {
        guard case .required = field.missing else { continue }
        let suggestion = NearMiss.suggestion(for: field.name, in: stored.fields.map(\.name))
        return error(
          "the records of \(source) have no field '\(field.name)', which '\(schema.name)' sends", field,
          help: suggestion.map { "did you mean '\($0)'? 'from' sets where the field is in the body" }
            ?? "make it optional, give it a default, or compute it with 'value'")
      }
      if case .required = field.missing, case .optional = own.missing {
        return error(
          "the field '\(field.name)' of \(source) may be null, and '\(schema.name)' requires it", field, own,
          help: "make it optional, or give it a default")
      }
      if !field.type.canRead(own.type) {
        return error(
          "the field '\(field.name)' of \(source) has type \(own.type.name), which '\(schema.name)' cannot send as "
            + field.type.name, field, own, help: "give both the same type, or compute the field with 'value'")
      }
    }
    return nil
  }

  private func error(
    _ message: String, _ field: FieldDeclaration, _ own: FieldDeclaration? = nil, help: String
  ) -> Diagnostic {
    var notes = [Diagnostic.Note("the field to send is declared here", at: field.range)]
    if let own { notes.append(Diagnostic.Note("the stored field is declared here", at: own.range)) }
    return Diagnostic(.sentField, message, at: sent.range, notes: notes, help: help)
  }
}
