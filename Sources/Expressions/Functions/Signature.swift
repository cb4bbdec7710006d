/// One way to call a function.
struct Signature: Sendable {
  var parameters: [Parameter]
  var result: Shape

  init(_ parameters: [Parameter], _ result: Shape) {
    self.parameters = parameters
    self.result = result
  }

  /// Whether a call with so many arguments fits.
  func takes(_ count: Int) -> Bool { count >= least && count <= most }

  /// The fewest arguments.
  var least: Int { parameters.count { $0.presence != .optional } }

  /// The most arguments.
  var most: Int { parameters.last?.presence == .repeated ? .max : parameters.count }

  /// The parameter of an argument.
  func parameter(_ argument: Int) -> Parameter? {
    if parameters.indices.contains(argument) { return parameters[argument] }
    guard let last = parameters.last, last.presence == .repeated else { return nil }
    return last
  }

  /// A parameter with what it takes.
  struct Parameter: Sendable {
    enum Presence: Sendable {
      case required, optional
      /// Once or more often; only for the last one.
      case repeated
    }

    var name: String
    var shape: Shape
    var presence: Presence

    init(_ name: String, _ shape: Shape, _ presence: Presence = .required) {
      self.name = name
      self.shape = shape
      self.presence = presence
    }
  }
}

/// What a parameter takes or a function gives.
indirect enum Shape: Sendable, Hashable {
  case type(ExpressionType)
  /// An int or a double.
  case number
  /// Any value that is there.
  case anything
  /// One and the same type in all of its places.
  case element
  case list(Shape)
  case map(Shape)
  /// It may be absent or null.
  case optional(Shape)

  static let bool = Shape.type(.bool)
  static let int = Shape.type(.int)
  static let double = Shape.type(.double)
  static let string = Shape.type(.string)
  static let timestamp = Shape.type(.timestamp)
  static let duration = Shape.type(.duration)
}

extension Shape: CustomStringConvertible {
  /// As the reference writes it.
  var description: String {
    switch self {
    case .type(let type): "\(type)"
    case .number: "number"
    case .anything: "anything"
    case .element: "T"
    case .list(.anything): "list"
    case .list(let element): "list(\(element))"
    case .map(.anything): "map"
    case .map(let value): "map(\(value))"
    case .optional(let shape): "\(shape)?"
    }
  }
}

extension Signature {
  /// `split(text: string, separator: string) → list(string)`
  func text(_ name: String) -> String {
    let list = parameters.map { parameter in
      let text = "\(parameter.name): \(parameter.shape)"
      return switch parameter.presence {
      case .required: text
      case .optional: "[\(text)]"
      case .repeated: "\(text), …"
      }
    }
    return "\(name)(\(list.joined(separator: ", "))) → \(result)"
  }
}
