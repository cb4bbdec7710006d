internal import ByteCodings
internal import ReactorCore

extension PageStep {
  /// The requests of this page: the flow's request and its siblings (those for further field groups), changed for the
  /// page.
  ///
  /// A link to the next page comes from the response to the first request, so it lists the fields of that request. For
  /// the siblings, the parameters in which their requests differ are replaced.
  ///
  /// - Throws: `.parser` if a link does not have these parameters: the server would return the fields of the first
  ///   group again.
  func resource(withSiblings resource: Resource) throws(ReactorError) -> Resource {
    var page = self.resource(from: resource)
    guard !resource.siblings.isEmpty else { return page }
    var siblings: [Resource] = []
    for sibling in resource.siblings {
      var own = self.resource(from: sibling)
      if let target { (own.target, own.query) = try Self.link(target, of: sibling, beside: resource) }
      siblings.append(own)
    }
    page.siblings = siblings
    return page
  }

  /// Changes a link for a sibling. Returns the link without the parameters in which the sibling's request differs from
  /// the first request, and the sibling's own values of these parameters.
  private static func link(
    _ target: String, of sibling: Resource, beside first: Resource
  ) throws(ReactorError) -> (target: String, query: [Resource.QueryItem]) {
    let names = Set(Set(sibling.query).symmetricDifference(first.query).map(\.name))
    // Without parameters that differ, the requests differ in their bodies or headers. A link changes neither.
    guard !names.isEmpty else { return (target, []) }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var found: Set<String> = []
    let rest = (parts.count > 1 ? parts[1] : "").split(separator: "&").filter { pair in
      let name = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)[0]
      let plain = PercentCoding.decode(name)
      guard names.contains(plain) else { return true }
      found.insert(plain)
      return false
    }
    guard found == names else {
      var error = ReactorError.parser(
        "the link to the next page has no parameter '\(names.subtracting(found).sorted()[0])', "
          + "so the next page would have the fields of the first group only")
      error.key = "field_groups"
      error.help = "use 'pages' with a token or a number, or a flow for each group"
      throw error
    }
    return (
      parts[0] + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&")),
      sibling.query.filter { names.contains($0.name) }
    )
  }
}
