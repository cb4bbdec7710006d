internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import SourceDiagnostics

extension ReactorError {
  /// The error with the place of the key that it is about.
  func located(in declaration: FlowDeclaration) -> ReactorError {
    guard place == nil, let key, let range = declaration.range(of: key, pointer ?? "") else { return self }
    var error = self
    let start = range.start
    error.place = Place(line: start.line, column: start.column)
    return error
  }
}

extension FlowDeclaration {
  /// Where the value of a key that errors name stands; nil when the key was not written.
  ///
  /// - Parameter pointer: the part of a record that the error is about
  fileprivate func range(of key: String, _ pointer: String) -> SourceRange? {
    switch key {
    case "records": return records?.range
    case "errors": return errors.first?.when.range
    case "pages.more": return pages?.more?.range
    case "pages.count": return pages?.count?.range
    case "expect.total": return expect.total?.range
    case "schema": return fieldRange(at: pointer)
    case let key where key.hasPrefix("schema."): return fieldRange { "schema.\($0.name)" == key }
    case "pages", "pages.by", "pages.from", "pages.from_header", "pages.next":
      switch pages?.way {
      case .cursor(let source), .nextURL(let source): return source.range
      case .link(let relation): return relation.range
      case .number, .offset, nil: return nil
      }
    default: return nil
    }
  }

  /// Where the path of the field is that holds a part of a record, given as a JSON pointer.
  private func fieldRange(at pointer: String) -> SourceRange? {
    guard let part = try? JSONPointer(parsing: pointer).tokens else { return nil }
    func depth(_ field: FieldDeclaration) -> Int {
      guard let steps = field.from.value.singularSteps, let tokens = JSONPointer(steps)?.tokens,
        part.starts(with: tokens)
      else { return 0 }
      return tokens.count
    }
    guard let nearest = schema?.fields.map(depth).max(), nearest > 0 else { return nil }
    return fieldRange { depth($0) == nearest }
  }

  /// Where the path of the first such field stands, or its name where that is the path; nil when the schema has a file of
  /// its own.
  private func fieldRange(_ isMeant: (FieldDeclaration) -> Bool) -> SourceRange? {
    guard let field = schema?.fields.first(where: isMeant), field.range.file.path == range.file.path else { return nil }
    return field.from.range
  }
}
