internal import Expressions
internal import JSONSyntax

extension EachDeclaration {
  /// The names that templates of the flow may use, with what is known of their values; of other flows' records nothing is
  /// known before all files are read.
  var members: [ExpressionType.Member] {
    parents.map { ExpressionType.Member($0.name.value, type($0.source.type)) }
  }

  /// The type of what templates see, given that of a record.
  func type(_ record: ExpressionType) -> ExpressionType { batch == nil ? record : .list(record) }
}

extension EachParent.Source {
  fileprivate var type: ExpressionType {
    switch self {
    case .flow: .dynamic
    case .file(_, let schema): schema?.recordType ?? .dynamic
    case .expression(_, let type): type
    case .values(let values):
      if values.allSatisfy({ $0.string != nil }) {
        .string
      } else if values.allSatisfy({ $0.int64 != nil }) {
        .int
      } else {
        .dynamic
      }
    }
  }
}
