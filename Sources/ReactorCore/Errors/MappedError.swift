/// Why a JSON value does not map to a model; the parser throws it as `.parser`.
public struct MappedError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The expected and the actual value.
  public var message: String
  /// The RFC 6901 pointer to the wrong value, relative to the mapped value; empty for the mapped value itself.
  public var pointer: String
  /// A suggestion for the fix; nil when there is none.
  public var help: String?

  /// Builds an error.
  public init(_ message: String, pointer: String = "") {
    self.message = message
    self.pointer = pointer
  }

  /// Creates an error without a pointer (upstream's `.custom(String)`).
  public static func custom(_ message: String) -> MappedError { MappedError(message) }

  /// The message followed by the pointer.
  public var description: String { pointer.isEmpty ? message : "\(message) at \(pointer)" }

  /// Returns the error as seen from the object that has the mapped value as the member `name`.
  public func inside(_ name: String) -> MappedError {
    var token = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": token += "~0"
      case "/": token += "~1"
      default: token.unicodeScalars.append(scalar)
      }
    }
    return at("/" + token)
  }

  /// Returns the error as seen from the array that has the mapped value at `index`.
  public func inside(_ index: Int) -> MappedError { at("/\(index)") }

  private func at(_ step: String) -> MappedError {
    var error = self
    error.pointer = step + pointer
    return error
  }
}
