/// Reads a collection of Postman.
struct PostmanReader {
  private static let maximumDepth = 64

  private(set) var collection = RequestCollection()
  private let log: ImportLog

  /// The settings that requests inherit from a folder.
  private struct Inherited {
    let scope: VariableScope
    var folders: [String] = []
    var auth: SourceNode?
    var behavior = PostmanBehavior()
    var isAffected = false
  }

  init(log: ImportLog) { self.log = log }

  /// Defines the variables of a list; those that are disabled or have no name are left out.
  func define(_ node: SourceNode?, in scope: VariableScope) {
    for variable in node?.list ?? [] {
      guard let key = (variable["key"] ?? variable["id"])?.filled, !(variable["disabled"]?.bool ?? false),
        variable["enabled"]?.bool ?? true
      else { continue }
      let isSecret = variable["type"]?.text == "secret"
      if isSecret, let value = variable["value"]?.scalar { log.hide(value) }
      scope.define(
        VariableScope.Definition(
          key.trimmed, variable["value"], isSecret: isSecret, description: Self.description(variable["description"])))
    }
  }

  /// Reads the requests.
  mutating func read(_ root: SourceNode, in scope: VariableScope) {
    collection.description = Self.description(root["info"]?["description"]) ?? root["info"]?["name"]?.filled
    var inherited = Inherited(scope: scope)
    inherited.auth = root["auth"]?.members == nil ? nil : root["auth"]
    inherited.isAffected = lose(scriptsOf: root, "the collection")
    inherited.behavior.read(root)
    items(root["item"], inherited, depth: 0)
  }

  private mutating func items(_ node: SourceNode?, _ inherited: Inherited, depth: Int) {
    for item in node?.list ?? [] {
      if let inner = item["item"] {
        folder(item, inner, inherited, depth)
      } else if let request = item["request"] {
        self.request(item, request, inherited)
      }
    }
  }

  private mutating func folder(_ item: SourceNode, _ inner: SourceNode, _ outer: Inherited, _ depth: Int) {
    let name = item["name"]?.scalar ?? ""
    guard depth < Self.maximumDepth else {
      collection.losses.append(
        RequestCollection.Loss(
          kind: .configuration, what: "the folder '\(name)'", needs: "fewer levels of folders",
          origin: OutputMapping.Origin(item))
      )
      return
    }
    let scope = VariableScope(in: outer.scope)
    define(item["variable"], in: scope)
    var inherited = Inherited(scope: scope, folders: outer.folders + [name])
    inherited.auth = item["auth"]?.members == nil ? outer.auth : item["auth"]
    let hasScript = lose(scriptsOf: item, "the folder '\(name)'")
    inherited.isAffected = outer.isAffected || hasScript
    inherited.behavior = outer.behavior
    inherited.behavior.read(item)
    items(inner, inherited, depth: depth + 1)
  }

  // MARK: - Requests

  private mutating func request(_ item: SourceNode, _ node: SourceNode, _ inherited: Inherited) {
    let scope = VariableScope(in: inherited.scope)
    define(item["variable"], in: scope)
    var request = CollectedRequest(
      name: item["name"]?.scalar ?? "", origin: OutputMapping.Origin(item), scope: scope)
    var behavior = inherited.behavior
    behavior.read(item)
    request.folders = inherited.folders
    request.isAffected = inherited.isAffected
    request.description = Self.description(node["description"]) ?? Self.description(item["description"])
    if let url = node.text {
      request.url = url
    } else {
      request.method = node["method"]?.text.map { $0.isEmpty ? "GET" : $0.uppercased() } ?? "GET"
      PostmanURL(node["url"]).read(into: &request)
      request.headers = Self.headers(node["header"])
      body(node["body"], behavior, into: &request)
      for name in ["proxy", "certificate"] where node[name]?.members?.isEmpty == false {
        request.losses.append(Self.loss(.request, name, "'http.proxy' and a client certificate", node[name] ?? node))
      }
    }
    let auth = node["auth"]?.members == nil ? inherited.auth : node["auth"]
    if let auth {
      request.auth = PostmanAuth(auth, log).value
      request.authOrigin = OutputMapping.Origin(auth)
    }
    for event in item["event"]?.list ?? [] {
      if let script = Self.script(event) { request.losses.append(script) }
    }
    behavior.apply(to: &request, log)
    request.examples = (item["response"]?.list ?? []).compactMap(Self.example)
    collection.requests.append(request)
  }

  private func body(_ node: SourceNode?, _ behavior: PostmanBehavior, into request: inout CollectedRequest) {
    guard let node, !(node["disabled"]?.bool ?? false), let mode = node["mode"]?.text else { return }
    // Postman sends no body with these methods unless a setting allows it.
    if behavior.prunesBody, ["GET", "HEAD"].contains(request.method) { return }
    request.bodyOrigin = OutputMapping.Origin(node)
    switch mode {
    case "raw":
      guard let text = node["raw"]?.scalar, !text.isEmpty else { return }
      let language = node["options"]?["raw"]?["language"]?.text
      // Postman itself removes comments from JSON.
      request.body = .text(
        language == "json" ? JSONComments.removed(from: text) : text, mediaType: Self.mediaType(language))
    case "urlencoded": request.body = .form(Self.pairs(node["urlencoded"]))
    case "graphql":
      let graphql = node["graphql"]
      guard let query = graphql?["query"]?.filled else { return }
      request.body = .graphql(
        query: query, variables: graphql?["variables"]?.scalar, operation: graphql?["operationName"]?.filled)
    case "formdata":
      guard node["formdata"]?.list?.isEmpty == false else { return }
      request.body = .unknown("a multipart form", needs: "a body of the kind 'multipart/form-data'")
    case "file": request.body = .unknown("a file as its body", needs: "a body that is read from a file")
    default: request.body = .unknown("the body '\(mode)'", needs: "a known kind of body")
    }
  }

  private static func mediaType(_ language: String?) -> String? {
    switch language {
    case "json": "application/json"
    case "xml": "application/xml"
    case "html": "text/html"
    case "javascript": "application/javascript"
    default: nil
    }
  }

  /// The pairs of a list that are not disabled.
  static func pairs(_ node: SourceNode?) -> [CollectedRequest.Pair] {
    (node?.list ?? []).compactMap { pair in
      guard let key = (pair["key"] ?? pair["id"])?.scalar, !(pair["disabled"]?.bool ?? false) else { return nil }
      return CollectedRequest.Pair(
        name: key, value: pair["value"]?.scalar ?? "", origin: OutputMapping.Origin(pair))
    }
  }

  /// Headers are a list of pairs, or a text with one header per line.
  private static func headers(_ node: SourceNode?) -> [CollectedRequest.Pair] {
    let lines = node?.text.map { [$0] } ?? (node?.list ?? []).compactMap(\.text)
    let origin = node.map { OutputMapping.Origin($0) } ?? OutputMapping.Origin(path: "", line: 0)
    return pairs(node)
      + lines.flatMap { $0.split(whereSeparator: \.isNewline) }.compactMap { line in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        return CollectedRequest.Pair(
          name: String(line[..<colon]).trimmed, value: String(line[line.index(after: colon)...]).trimmed, origin: origin
        )
      }
  }

  private static func example(_ node: SourceNode) -> CollectedRequest.Example? {
    guard let body = node["body"]?.text, let status = node["code"]?.integer else { return nil }
    return CollectedRequest.Example(
      name: node["name"]?.scalar ?? "", status: status,
      headers: headers(node["header"]).map { ($0.name, $0.value) }, body: body)
  }

  // MARK: - Scripts and settings

  /// Records the scripts of a folder.
  ///
  /// - Returns: whether there are any
  private mutating func lose(scriptsOf node: SourceNode, _ owner: String) -> Bool {
    var hasScript = false
    for event in node["event"]?.list ?? [] {
      guard let script = Self.script(event) else { continue }
      hasScript = true
      collection.losses.append(
        RequestCollection.Loss(
          kind: script.kind, what: "\(script.what) of \(owner)", needs: script.needs, origin: script.origin))
    }
    return hasScript
  }

  /// The loss of a script; nil for one without code.
  private static func script(_ event: SourceNode) -> RequestCollection.Loss? {
    guard !(event["disabled"]?.bool ?? false), let script = event["script"] else { return nil }
    let exec = script["exec"] ?? script
    let lines =
      exec.list?.compactMap(\.scalar) ?? exec.text.map { $0.split(whereSeparator: \.isNewline).map(String.init) }
    let hasCode = (lines ?? []).contains { line in
      let line = line.trimmed
      return !line.isEmpty && !line.hasPrefix("//")
    }
    guard hasCode || script["src"] != nil else { return nil }
    switch event["listen"]?.text {
    case "test":
      return loss(
        .customCode, "the script 'test'",
        "'expect' and 'errors' for its conditions, 'login' or 'each' for what it sets", event)
    default:
      return loss(
        .customCode, "the script '\(event["listen"]?.text ?? "prerequest")'",
        "expressions or 'auth' instead of its code, which is not run", event)
    }
  }

  private static func loss(
    _ kind: ImportReport.Kind, _ what: String, _ needs: String, _ node: SourceNode
  ) -> RequestCollection.Loss {
    RequestCollection.Loss(kind: kind, what: what, needs: needs, origin: OutputMapping.Origin(node))
  }

  /// A description is a text, or an object with one.
  static func description(_ node: SourceNode?) -> String? {
    let text = node?.text ?? node?["content"]?.text
    return text.flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed }
  }
}
