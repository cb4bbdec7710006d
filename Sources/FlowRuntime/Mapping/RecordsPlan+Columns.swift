internal import FieldTypes
internal import JSONSyntax
internal import Records

extension RecordsPlan {
  /// The names of the columns that the schema reads from a table; empty when any column is accepted.
  var columnNames: Set<String> {
    // A program of `reshape` may rename the columns, so any column is accepted.
    guard transform?.recordProgram == nil, transform?.responseProgram == nil else { return [] }
    var names: Set<String> = []
    for field in schema.schema.fields where field.value == nil {
      guard let name = field.from.leadingNames.names.first else { return [] }
      names.insert(name)
    }
    return names
  }
}
