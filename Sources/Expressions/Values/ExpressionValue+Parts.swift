internal import JSONSyntax

extension ExpressionValue {
  /// The elements of a list; nil for other values.
  var elements: [ExpressionValue]? {
    switch self {
    case .list(let elements): elements
    case .json(.array(let elements)): elements.map { ExpressionValue($0) }
    default: nil
    }
  }

  /// The members of a map; nil for other values.
  var members: [ExpressionMember]? {
    switch self {
    case .map(let members): members
    case .json(.object(let object)): object.members.map { ExpressionMember($0.name, ExpressionValue($0.value)) }
    default: nil
    }
  }

  /// The number of elements or members at the first level; 0 for scalars.
  var count: Int {
    switch self {
    case .list(let elements): elements.count
    case .json(.array(let elements)): elements.count
    case .map(let members): members.count
    case .json(.object(let object)): object.members.count
    default: 0
    }
  }

  var isList: Bool {
    switch self {
    case .list, .json(.array): true
    default: false
    }
  }

  var isMap: Bool {
    switch self {
    case .map, .json(.object): true
    default: false
    }
  }

  /// Whether the value is null, an empty text, an empty list or an empty map.
  var isEmpty: Bool {
    switch self {
    case .null, .json(.null): true
    case .string(let text), .json(.string(let text)): text.isEmpty
    default: (isList || isMap) && count == 0
    }
  }

  var isNull: Bool { self == .null || self == .json(.null) }

  /// The element at an index; nil when there is none.
  func element(_ index: Int) -> ExpressionValue? {
    switch self {
    case .list(let elements): elements.indices.contains(index) ? elements[index] : nil
    case .json(.array(let elements)): elements.indices.contains(index) ? ExpressionValue(elements[index]) : nil
    default: nil
    }
  }

  /// The member of a map; nil when there is none.
  func member(_ name: String) -> ExpressionValue? {
    switch self {
    case .map(let members): members.first { $0.name.hasSameScalars(as: name) }?.value
    case .json(.object(let object)): object[name].map { ExpressionValue($0) }
    default: nil
    }
  }

  /// The value as a number for arithmetic; nil for other values, and for a number outside the range of a double.
  var numeric: Numeric? {
    switch self {
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    case .number(let number):
      if let value = Int64(number.text) { .int(value) } else { number.double.map { .double($0) } }
    default: nil
    }
  }

  var isNumber: Bool {
    switch self {
    case .int, .double, .number: true
    default: false
    }
  }

  /// The number in JSON's grammar, for exact comparison.
  var numberToken: JSONNumber? {
    switch self {
    case .int(let value): JSONNumber(value)
    case .double(let value): JSONNumber(validated: Self.digits(of: value))
    case .number(let number): number
    default: nil
    }
  }
}
