public import Expressions

/// A list that replaces the records of a parent's source, unless the list is empty.
public struct ReplacementList: Sendable {
  /// The only field of each record.
  public var field: Located<String>
  /// The expression for the values of the field, texts or integers. If it is null or an empty list, the source is used.
  public var list: Located<Expression>
  /// The type of a value.
  public var type: ExpressionType

  /// Creates a list.
  public init(of field: Located<String>, _ list: Located<Expression>, type: ExpressionType) {
    self.field = field
    self.list = list
    self.type = type
  }
}
