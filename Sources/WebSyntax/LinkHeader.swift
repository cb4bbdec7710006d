/// The links of a response's `Link` fields, RFC 8288.
///
/// Read as in its appendix B: parameters in any case, quoted or not, commas and semicolons in quotes and targets are
/// text, the first `rel` of a link counts, what is malformed ends its field and leaves the links before it. A link with
/// an `anchor` that names another resource is not about this response and leads nowhere from here.
public struct LinkHeader: Sendable, Hashable {
  /// The links in the order of the fields.
  public let links: [Link]
  /// What is malformed, to the end of its field; nil where all fields could be read.
  public let malformed: String?

  /// Reads the values of all `Link` fields of a response.
  public init(_ fields: [String]) {
    var malformed: String?
    links = fields.flatMap { field in
      var reader = LinkReader(field)
      let links = reader.read()
      malformed = malformed ?? reader.rest
      return links
    }
    self.malformed = malformed
  }

  /// The target of the first link of a relation (`next`; the case of letters does not matter), as it is written.
  ///
  /// - Parameter page: the URL of the response, which relative anchors are relative to.
  /// - Returns: nil when no link has the relation.
  public func target(of relation: String, from page: WebURL) -> String? {
    links.first { $0.has(relation) && isAbout(page, $0) }?.target
  }

  private func isAbout(_ page: WebURL, _ link: Link) -> Bool {
    guard let anchor = link.anchor else { return true }
    guard let context = try? WebURL(anchor, relativeTo: page), context.fragment == nil else { return false }
    return context.requested == page.requested
  }
}
