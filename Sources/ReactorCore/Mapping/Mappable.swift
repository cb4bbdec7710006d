public import JSONSyntax

/// A model that maps from JSON and back (upstream's `Mappable`).
///
/// A file with such a model imports `JSONSyntax` beside `ReactorCore`, for `JSONValue`:
///
/// ```swift
/// import JSONSyntax
/// import ReactorCore
///
/// struct Article: Mappable {
///   let title: String
///
///   static func mapToModel(_ json: JSONValue) throws(MappedError) -> Article {
///     Article(title: try json.stringField("title"))
///   }
///
///   func mapToJSON() -> JSONValue? { .object(["title": .string(title)]) }
/// }
/// ```
public protocol Mappable: Sendable {
  /// Builds the model from one decoded JSON value.
  static func mapToModel(_ json: JSONValue) throws(MappedError) -> Self
  /// Returns the model as JSON for persistence; nil when the model cannot be persisted.
  func mapToJSON() -> JSONValue?
}

/// A mapping as a value, for example from a schema that is loaded at run time.
///
/// It can be used wherever a compiled `Mappable` can. It decodes an element either from a JSON value or, while a
/// response arrives, from its tokens. Both ways produce the same models and the same errors.
public struct ModelMapping<Model: Sendable>: Sendable {
  /// Builds the model from one decoded JSON value.
  public let decode: @Sendable (JSONValue) throws(MappedError) -> Model
  /// Returns the model as JSON; nil when the model cannot be persisted.
  public let encode: @Sendable (Model) -> JSONValue?
  /// Creates a reader that decodes elements from tokens.
  package let elements: @Sendable () -> any ElementReader<Model>

  /// Builds a mapping from its decode and encode functions. An element is first converted to a JSON value and then
  /// decoded.
  public init(
    decode: @escaping @Sendable (JSONValue) throws(MappedError) -> Model,
    encode: @escaping @Sendable (Model) -> JSONValue?
  ) {
    self.init(decode: decode, encode: encode, elements: { ModelReader(decode) })
  }

  /// Builds a mapping that decodes elements from tokens without a JSON value for each.
  package init(
    decode: @escaping @Sendable (JSONValue) throws(MappedError) -> Model,
    encode: @escaping @Sendable (Model) -> JSONValue?, elements: @escaping @Sendable () -> any ElementReader<Model>
  ) {
    self.decode = decode
    self.encode = encode
    self.elements = elements
  }
}

extension ModelMapping where Model: Mappable {
  /// Builds the mapping that a compiled type declares.
  public init() {
    self.init(
      decode: { (json) throws(MappedError) -> Model in try Model.mapToModel(json) },
      encode: { $0.mapToJSON() })
  }
}
