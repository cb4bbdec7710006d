/// The links of a response's `Link` fields, RFC 8288.
///
/// The fields are read as in appendix B of the RFC. The case of parameter names is ignored, and values may be with or
/// without quotes. Commas and semicolons inside quotes or targets are not separators. The first `rel` of a link is used.
/// Parsing of a field ends at malformed text; the links before that text are used. A link with an `anchor` that names
/// another resource is not about this response and is not followed.
public struct LinkHeader: Sendable, Hashable {
  /// The links in the order of the fields.
  public let links: [Link]
  /// The first malformed text, up to the end of its field; nil when all fields could be parsed.
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

  /// The target, as written, of the first link of this response that has a relation such as `next`, ignoring case.
  ///
  /// - Parameter page: the URL of the response; relative anchors are resolved against it
  /// - Returns: nil when no link has the relation
  public func target(of relation: String, from page: WebURL) -> String? {
    links.first { $0.has(relation) && isAbout(page, $0) }?.target
  }

  private func isAbout(_ page: WebURL, _ link: Link) -> Bool {
    guard let anchor = link.anchor else { return true }
    guard let context = try? WebURL(anchor, relativeTo: page), context.fragment == nil else { return false }
    return context.requested == page.requested
  }
}
