internal import FieldTypes
internal import ReactorCore
public import Records

extension TableLayout {
  /// Creates the layout of the table of a schema.
  ///
  /// - Parameters:
  ///   - schema: a schema with fields; each becomes a column
  ///   - dialect: the database that holds the table
  ///   - marksDeletions: whether each row has a mark that says whether its key is deleted
  public init(of schema: RecordSchema, in dialect: any SQLDialect, marksDeletions: Bool = false) {
    self.init(
      columns: schema.fields.map { field in
        let type = field.type.typeName
        return TableColumn(
          name: field.name, type: type, encoding: dialect.encoding(of: type), isRequired: field.missing == .required)
      }, key: schema.key, marksDeletions: marksDeletions, allowsNUL: dialect.allowsNUL)
  }
}

extension Database.Rows {
  /// The records of a set, encoded again each time they are read.
  public init(_ records: RecordSet, _ layout: TableLayout) {
    self.init {
      let rows = TableRows(records, layout)
      return { () throws(ReactorError) in try await rows.next() }
    }
  }
}
