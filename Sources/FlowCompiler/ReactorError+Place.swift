internal import FlowSpec
internal import ReactorCore
internal import SourceDiagnostics

extension ReactorError {
  /// The error with the place of the key that it is about.
  func located(in declaration: FlowDeclaration) -> ReactorError {
    guard place == nil, let key, let range = declaration.range(of: key) else { return self }
    var error = self
    let start = range.start
    error.place = Place(line: start.line, column: start.column)
    return error
  }
}

extension FlowDeclaration {
  /// Where the value of a key that errors name stands; nil when the key was not written.
  fileprivate func range(of key: String) -> SourceRange? {
    switch key {
    case "records": return records?.range
    case "pages.more": return pages?.more?.range
    case "pages.count": return pages?.count?.range
    case "expect.total": return expect.total?.range
    case "pages", "pages.by", "pages.from", "pages.from_header", "pages.next":
      switch pages?.way {
      case .cursor(let source), .nextURL(let source): return source.range
      case .link(let relation): return relation.range
      case .number, .offset, nil: return nil
      }
    default: return nil
    }
  }
}
