/// A URI template, RFC 6570, all four levels: `/items/{id}{?page,tags*}`.
///
/// The initializer checks the whole template, so an error can be reported with its location in the file. Text outside
/// of braces must consist of URI characters or of characters outside ASCII. The latter are percent-encoded.
public struct URITemplate: Sendable, Hashable {
  /// The value of a variable.
  public enum Value: Sendable, Hashable {
    /// One text value.
    case text(String)
    /// Several text values, in order. An empty list counts as no value.
    case list([String])
    /// Names with text values, in order. An empty map counts as no value.
    case map([Entry])

    /// One entry of a map.
    public struct Entry: Sendable, Hashable {
      /// The entry's name.
      public var name: String
      /// The entry's value.
      public var value: String

      /// Creates an entry.
      public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
      }
    }
  }

  /// One variable of an expression.
  struct Variable: Sendable, Hashable {
    /// The variable's name.
    var name: String
    /// The maximum number of characters of the value that are used.
    var prefix: Int?
    /// Whether each item of a list or a map is expanded separately (`*`).
    var explodes: Bool
    /// The offset of the name in the template, in bytes.
    var offset: Int
  }

  /// The template as written.
  public let text: String
  let parts: [Part]

  enum Part: Sendable, Hashable {
    /// Text outside of braces, already percent-encoded; it is copied unchanged.
    case literal(String)
    case expression(Expression)
  }

  /// The names of the variables in the path: all variables except those of `{?…}` and `{&…}`.
  public var pathNames: Set<String> {
    var names: Set<String> = []
    for case .expression(let expression) in parts
    where expression.expansionOperator != .query && expression.expansionOperator != .continuation {
      names.formUnion(expression.variables.map(\.name))
    }
    return names
  }

  /// Parses a template.
  public init(_ text: String) throws(URITemplateError) {
    var reader = URITemplateReader(text)
    self.text = text
    parts = try reader.read()
  }

  /// The names of the variables in the order of the template, without repetition.
  public var variables: [String] {
    var names: [String] = []
    for case .expression(let expression) in parts {
      for variable in expression.variables where !names.contains(variable.name) { names.append(variable.name) }
    }
    return names
  }

  /// Replaces the variables of the template with values.
  ///
  /// - Parameter value: returns the value of a variable, or nil when it has none; a variable without a value, or with
  ///   an empty list or map, is omitted together with its separator
  /// - Throws: when a prefix is used with a list or a map
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
