/// A value with the name of its parameter or header.
public struct Named<Value: Sendable>: Sendable {
  /// The name of the parameter or header.
  public var name: Located<String>
  /// Its value.
  public var value: Value

  /// Combines a name with its value.
  public init(_ name: Located<String>, _ value: Value) {
    self.name = name
    self.value = value
  }
}

/// A name with a value that may contain templates.
public typealias NamedTemplate = Named<Located<Template>>
