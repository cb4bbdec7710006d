/// How Postman sends a request (`protocolProfileBehavior`): if a setting occurs several times, the innermost one is
/// used.
struct PostmanBehavior {
  private var settings: [String: SourceNode] = [:]

  /// Adds the settings of a collection, a folder or a request.
  mutating func read(_ node: SourceNode) {
    for member in node["protocolProfileBehavior"]?.members ?? [] { settings[member.name] = member.value }
  }

  /// Whether Postman leaves out the body of requests such as GET.
  var prunesBody: Bool { settings["disableBodyPruning"]?.bool != true }

  /// Applies the settings to a request; settings that a flow cannot express are recorded as losses or as not needed.
  func apply(to request: inout CollectedRequest, _ log: ImportLog) {
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "followRedirects": request.followsRedirects = value.bool ?? true
      case "disableUrlEncoding": request.encodesURL = value.bool != true
      case "disableBodyPruning": break
      default:
        guard let needs = Self.needs(name, value, request) else {
          log.skip("protocolProfileBehavior.\(name)", reason: "flows do the same", at: OutputMapping.Origin(value))
          continue
        }
        request.losses.append(
          RequestCollection.Loss(
            kind: .request, what: [name, value.scalar].compactMap { $0 }.joined(separator: ": "), needs: needs,
            origin: OutputMapping.Origin(value)))
      }
    }
  }

  /// The feature that a setting would need; nil for a setting without effect on a flow.
  private static func needs(_ name: String, _ value: SourceNode, _ request: CollectedRequest) -> String? {
    switch name {
    case "strictSSL": value.bool == false ? "'http.ca_file': certificates are verified" : nil
    case "disableCookies", "removeRefererHeaderOnRedirect": nil
    case "maxRedirects":
      value.integer == 10 || !request.followsRedirects
        ? nil : "'http.redirects: none', or the limit of flows, which is 10"
    case "followOriginalHttpMethod":
      value.isFalsy || request.method == "GET" ? nil : "the same method after a redirect"
    case "followAuthorizationHeader": value.isFalsy ? nil : "a flow for the server to which the redirect leads"
    default: value.isFalsy ? nil : "a setting of 'http' with this effect"
    }
  }
}
