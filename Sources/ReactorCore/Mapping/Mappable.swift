public import JSONSyntax

/// A model that maps from JSON and back (upstream's `Mappable`).
public protocol Mappable: Sendable {
  /// Builds the model from one decoded JSON value.
  static func mapToModel(_ json: JSONValue) throws(MappedError) -> Self
  /// The model as JSON, used for persistence; nil when it is not persistable.
  func mapToJSON() -> JSONValue?
}

/// A mapping as a value, so that a schema loaded at run time and a compiled `Mappable` are equals.
public struct ModelMapping<Model: Sendable>: Sendable {
  /// Builds the model from one decoded JSON value.
  public let decode: @Sendable (JSONValue) throws(MappedError) -> Model
  /// The model as JSON; nil when it is not persistable.
  public let encode: @Sendable (Model) -> JSONValue?

  /// Builds a mapping from its two directions.
  public init(
    decode: @escaping @Sendable (JSONValue) throws(MappedError) -> Model,
    encode: @escaping @Sendable (Model) -> JSONValue?
  ) {
    self.decode = decode
    self.encode = encode
  }
}

extension ModelMapping where Model: Mappable {
  /// The mapping that a compiled type declares.
  public init() {
    self.init(
      decode: { (json) throws(MappedError) -> Model in try Model.mapToModel(json) },
      encode: { $0.mapToJSON() })
  }
}
