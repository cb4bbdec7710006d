extension LinkHeader {
  /// One link.
  public struct Link: Sendable, Hashable {
    /// The target as written between `<` and `>`; it may be relative or empty.
    public let target: String
    /// The relations, in lower case; empty when the link has none.
    public let relations: [String]
    /// The resource from which the link starts, as written; nil for the resource of the response.
    public let anchor: String?
    /// All parameters in order, with names in lower case.
    public let parameters: [Parameter]

    init(target: String, parameters: [Parameter]) {
      self.target = target
      self.parameters = parameters
      let rel = parameters.first { $0.name == "rel" }?.value ?? ""
      relations = rel.split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }
      anchor = parameters.first { $0.name == "anchor" }?.value
    }

    /// Whether the link has a relation, ignoring case.
    public func has(_ relation: String) -> Bool { relations.contains(relation.lowercased()) }

    /// One parameter of a link.
    public struct Parameter: Sendable, Hashable {
      /// The name in lower case, including the `*` at its end if it has one, as in `title*`.
      public let name: String
      /// The value without quotes; empty when the parameter has none.
      ///
      /// The value of a parameter such as `title*` is not decoded.
      public let value: String
    }
  }
}
