/// A name with a templated value.
public struct NamedTemplate: Sendable {
  /// The parameter or header name.
  public var name: Located<String>
  /// Its value.
  public var value: Located<Template>

  /// Builds a pair.
  public init(name: Located<String>, value: Located<Template>) {
    self.name = name
    self.value = value
  }
}
