/// A URL of Postman: a text, or its parts.
struct PostmanURL {
  private let node: SourceNode?

  init(_ node: SourceNode?) { self.node = node }

  /// Sets the URL, the query and the path values of a request.
  func read(into request: inout CollectedRequest) {
    guard let node else { return }
    if let text = node.text {
      request.url = text
      return
    }
    guard node.members != nil else { return }
    request.pathValuesHaveSlashes = true
    request.pathValues = PostmanReader.pairs(node["variable"])
    // The parts also contain the query, with its disabled parameters.
    let hasQuery = node["query"]?.list != nil
    let raw = node["raw"]?.text?.trimmed ?? ""
    var url = node["host"] == nil ? raw : address(node)
    if hasQuery || node["host"] != nil { url = URLText.split(URLText.split(url, at: "#").0, at: "?").0 }
    request.url = url
    if hasQuery {
      request.query = PostmanReader.pairs(node["query"])
    } else if node["host"] != nil {
      let question = URLText.split(URLText.split(raw, at: "#").0, at: "?").1
      if !question.isEmpty { request.url += "?" + question }
    }
  }

  private func address(_ node: SourceNode) -> String {
    let host = node["host"]?.texts?.joined(separator: ".") ?? ""
    var result = host
    if let scheme = node["protocol"]?.filled, !host.contains("://") {
      result = (scheme.hasSuffix("://") ? scheme : scheme + "://") + host
    }
    if let port = node["port"]?.filled { result += ":" + port }
    let segments = node["path"]?.list?.map { $0.scalar ?? $0["value"]?.scalar ?? "" }
    let path = segments?.joined(separator: "/") ?? node["path"]?.scalar ?? ""
    if path.isEmpty { return result }
    // A first segment that is empty is a second slash.
    let hasSlash = path.hasPrefix("/") && segments?.first?.isEmpty != true
    return result + (hasSlash ? path : "/" + path)
  }
}
