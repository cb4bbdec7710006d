/// Why a JSON value does not map to a model; the parser throws it as `.parser`.
public struct MappedError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was expected and what was found.
  public var message: String
  /// RFC 6901 pointer to the offending value, relative to the value that was mapped; empty for that value itself.
  public var pointer: String
  /// How to fix it; nil where nothing is known.
  public var help: String?

  /// Builds an error.
  public init(_ message: String, pointer: String = "") {
    self.message = message
    self.pointer = pointer
  }

  /// Upstream's `.custom(String)`.
  public static func custom(_ message: String) -> MappedError { MappedError(message) }

  /// The message with its pointer.
  public var description: String { pointer.isEmpty ? message : "\(message) at \(pointer)" }

  /// The same error seen from the object that holds the mapped value under a name.
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

  /// The same error seen from the array that holds the mapped value at an index.
  public func inside(_ index: Int) -> MappedError { at("/\(index)") }

  private func at(_ step: String) -> MappedError {
    var error = self
    error.pointer = step + pointer
    return error
  }
}
