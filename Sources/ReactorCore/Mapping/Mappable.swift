public import JSONSyntax

/// A model that maps from JSON and back (upstream's `Mappable`).
public protocol Mappable: Sendable {
  /// Builds the model from one decoded JSON value.
  static func mapToModel(_ json: JSONValue) throws(MappedError) -> Self
  /// The model as JSON, used for persistence; nil when it is not persistable.
  func mapToJSON() -> JSONValue?
}
