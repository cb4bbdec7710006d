internal import FieldTypes
internal import JSONSyntax
internal import Records
internal import ResponseFormats

extension RecordsPlan {
  /// The elements of an XML document that are records, and those that are lists according to the schema.
  ///
  /// In XML, a list of one element looks like the element itself.
  var xmlLayout: XMLLayout {
    var lists: Set<[String]> = []
    Self.add(schema.schema.fields, under: [], to: &lists)
    let names = path.map { $0.singularSteps ?? $0.elementSteps ?? [] } ?? []
    return XMLLayout(records: names.compactMap { if case .name(let name) = $0 { name } else { nil } }, lists: lists)
  }

  private static func add(_ fields: [FieldMapping], under base: [String], to lists: inout Set<[String]>) {
    for field in fields where field.value == nil {
      let (names, isWhole) = field.from.leadingNames
      let path = base + names
      // A path that continues with `[0]` or `[*]` selects elements of a list.
      if !isWhole, !names.isEmpty { lists.insert(path) }
      add(field.type, at: path, to: &lists)
    }
  }

  private static func add(_ type: FieldType, at path: [String], to lists: inout Set<[String]>) {
    switch type {
    case .list(let element):
      lists.insert(path)
      add(element, at: path, to: &lists)
    case .object(let fields): add(fields, under: path, to: &lists)
    default: break
    }
  }
}
