/// The parameters and the result of a function.
struct Signature: Sendable {
  var parameters: [Parameter]
  var result: Shape

  init(_ parameters: [Parameter], _ result: Shape) {
    self.parameters = parameters
    self.result = result
  }

  /// Whether the signature accepts this number of arguments.
  func takes(_ count: Int) -> Bool { count >= minimum && count <= maximum }

  /// The minimum number of arguments.
  var minimum: Int { parameters.count { $0.presence != .optional } }

  /// The maximum number of arguments.
  var maximum: Int { parameters.last?.presence == .repeated ? .max : parameters.count }

  /// The parameter for the argument at an index.
  func parameter(_ argument: Int) -> Parameter? {
    if parameters.indices.contains(argument) { return parameters[argument] }
    guard let last = parameters.last, last.presence == .repeated else { return nil }
    return last
  }

  /// A parameter with its accepted type.
  struct Parameter: Sendable {
    enum Presence: Sendable {
      case required, optional
      /// One or more arguments; only for the last parameter.
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

extension Signature {
  /// The signature as text: `split(text: string, separator: string) → list(string)`.
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
