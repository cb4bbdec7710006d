/// What the value of a key may be, and how it is read.
///
/// Reading reports what is wrong and gives nil then.
struct Shape<Value>: Sendable {
  /// The value in words and as JSON Schema.
  let kind: ValueKind
  /// Whether `{{ … }}` is filled in.
  let isTemplated: Bool
  /// Reads a value.
  let read: @Sendable (inout FlowReader, FieldValue) -> Value?

  init(
    _ kind: ValueKind, isTemplated: Bool = false, read: @escaping @Sendable (inout FlowReader, FieldValue) -> Value?
  ) {
    self.kind = kind
    self.isTemplated = isTemplated
    self.read = read
  }
}

extension Shape {
  /// The value as it stands, for a construct that reads it together with other keys.
  static func whole(_ kind: ValueKind, isTemplated: Bool = false) -> Shape<FieldValue> {
    Shape<FieldValue>(kind, isTemplated: isTemplated) { $1 }
  }

  /// A mapping with a table of its own, or its short form.
  static func construct(
    _ name: ConstructName, _ read: @escaping @Sendable (inout FlowReader, FieldValue) -> Value?
  ) -> Shape { Shape(.construct(name)) { reader, value in value.node.isNull ? nil : read(&reader, value) } }

  /// What another shape reads, as something else.
  static func converted<Other>(_ shape: Shape<Other>, _ convert: @escaping @Sendable (Other) -> Value) -> Shape {
    Shape(shape.kind, isTemplated: shape.isTemplated) { shape.read(&$0, $1).map(convert) }
  }

  /// One of the words of an enumeration.
  static func choice(of type: Value.Type) -> Shape
  where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    let words = Value.allCases.map(\.rawValue)
    return Shape(.choice(words)) { $0.choice($1, words).flatMap(Value.init(rawValue:)) }
  }

  /// Elements of one shape; those with errors are left out.
  static func list<Element>(of element: Shape<Element>) -> Shape where Value == [Element] {
    Shape(.list(element.kind), isTemplated: element.isTemplated) { reader, value in
      reader.elements(of: value).map { $0.compactMap { element.read(&reader, $0) } }
    }
  }

  /// One value or a list of them.
  static func oneOrMore<Element>(of element: Shape<Element>) -> Shape where Value == [Element] {
    Shape(.oneOrMore(element.kind), isTemplated: element.isTemplated) { reader, value in
      reader.oneOrMore(of: value).map { $0.compactMap { element.read(&reader, $0) } }
    }
  }
}
