extension LinkHeader {
  /// One link.
  public struct Link: Sendable, Hashable {
    /// The target as written between `<` and `>`; it may be relative, and empty.
    public let target: String
    /// The relations, in lower case; empty when the link names none.
    public let relations: [String]
    /// The resource that the link is from, as written; nil for the resource of the response.
    public let anchor: String?
    /// All parameters in order, names in lower case.
    public let parameters: [Parameter]

    init(target: String, parameters: [Parameter]) {
      self.target = target
      self.parameters = parameters
      let rel = parameters.first { $0.name == "rel" }?.value ?? ""
      relations = rel.split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }
      anchor = parameters.first { $0.name == "anchor" }?.value
    }

    /// Whether it has a relation, in any case.
    public func has(_ relation: String) -> Bool { relations.contains(relation.lowercased()) }

    /// One parameter of a link.
    public struct Parameter: Sendable, Hashable {
      /// The name in lower case, with its star where it has one.
      public let name: String
      /// The value without quotes; empty when there is none. The encoding of a name with a star is left as it is.
      public let value: String
    }
  }
}
