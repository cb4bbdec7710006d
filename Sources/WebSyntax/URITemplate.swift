/// A URI template, RFC 6570, all four levels: `/items/{id}{?page,tags*}`.
///
/// The template is checked when it is read, so an error has a location in its file. What stands
/// outside of braces must be text of a URI or outside ASCII; the latter is percent-encoded.
public struct URITemplate: Sendable, Hashable {
  /// The value of a variable.
  public enum Value: Sendable, Hashable {
    /// One text.
    case text(String)
    /// Several texts, in order. An empty list counts as no value.
    case list([String])
    /// Names and texts, in order. An empty map counts as no value.
    case map([Entry])

    /// One entry of a map.
    public struct Entry: Sendable, Hashable {
      /// The entry's name.
      public var name: String
      /// The entry's value.
      public var value: String

      /// An entry.
      public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
      }
    }
  }

  /// One variable of an expression.
  struct Variable: Sendable, Hashable {
    /// The name of the value.
    var name: String
    /// The maximum number of characters of the value.
    var prefix: Int?
    /// Whether each item of a list or a map is expanded by itself (`*`).
    var explodes: Bool
    /// Where the name begins, in bytes.
    var offset: Int
  }

  /// The template as written.
  public let text: String
  let parts: [Part]

  enum Part: Sendable, Hashable {
    /// Text that is copied, already encoded.
    case literal(String)
    case expression(Expression)
  }

  /// The names whose values become part of the path: all but those of `{?…}` and `{&…}`.
  public var pathNames: Set<String> {
    var names: Set<String> = []
    for case .expression(let expression) in parts
    where expression.expansionOperator != .query && expression.expansionOperator != .continuation {
      names.formUnion(expression.variables.map(\.name))
    }
    return names
  }

  /// Reads a template.
  public init(_ text: String) throws(URITemplateError) {
    var reader = URITemplateReader(text)
    self.text = text
    parts = try reader.read()
  }

  /// The names of the variables, in the order of the template, each once.
  public var variables: [String] {
    var names: [String] = []
    for case .expression(let expression) in parts {
      for variable in expression.variables where !names.contains(variable.name) { names.append(variable.name) }
    }
    return names
  }

  /// The template with its variables replaced.
  ///
  /// - Parameter value: the value of a variable; nil where it has none: it is then left out with its separator, as an
  ///   empty list or map is.
  /// - Throws: where a prefix is asked of a list or a map.
  public func expand(_ value: (String) -> Value?) throws(URITemplateError) -> String {
    var result: [UInt8] = []
    for part in parts {
      switch part {
      case .literal(let text): result.append(contentsOf: text.utf8)
      case .expression(let expression): try expression.expand(value, into: &result)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
