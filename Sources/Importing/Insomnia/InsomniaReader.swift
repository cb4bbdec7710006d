/// Reads an export of Insomnia.
struct InsomniaReader {
  private static let maximumDepth = 64

  private(set) var collection = RequestCollection()
  /// The names of the environments below the base environment.
  private(set) var environments: [String] = []
  private let log: ImportLog
  private let environment: String?
  /// Whether the export contains cookies, which Insomnia sends with its requests.
  private var hasCookies = false

  /// The settings that requests inherit from a folder.
  struct Inherited {
    let scope: VariableScope
    var folders: [String] = []
    var auth: SourceNode?
    var headers: [CollectedRequest.Pair] = []
    var isAffected = false
  }

  init(log: ImportLog, environment: String?) {
    self.log = log
    self.environment = environment
  }

  // MARK: - Version 5

  /// Reads a collection of version 5, where folders contain their requests.
  mutating func read(collection root: SourceNode) {
    collection.description = root["meta"]?["description"]?.filled ?? root["name"]?.filled
    let scope = VariableScope()
    if let base = root["environments"] {
      define(base, in: scope)
      for inner in base["subEnvironments"]?.list ?? [] { add(environment: inner, in: scope) }
    }
    cookies(root["cookieJar"])
    items(root["collection"], Inherited(scope: scope), depth: 0)
  }

  private mutating func items(_ node: SourceNode?, _ inherited: Inherited, depth: Int) {
    for item in node?.list ?? [] {
      guard let children = item["children"] else {
        request(item, inherited)
        continue
      }
      guard depth < Self.maximumDepth else {
        lose(.configuration, "the folder '\(item["name"]?.scalar ?? "")'", "fewer levels of folders", item)
        continue
      }
      items(children, folder(item, inherited), depth: depth + 1)
    }
  }

  // MARK: - Version 4

  /// Reads an export of version 4, where each resource names its parent.
  mutating func read(resources root: SourceNode) {
    let resources = (root["resources"]?.list ?? []).filter { $0.members != nil }
    var byID: [String: SourceNode] = [:]
    for resource in resources { if let id = resource["_id"]?.text { byID[id] = resource } }
    var known: [String: Inherited] = [:]
    let workspaces = resources.filter { $0["_type"]?.text == "workspace" }
    collection.description = workspaces.first.flatMap { $0["description"]?.filled ?? $0["name"]?.filled }
    // A base environment belongs to a workspace; the other environments belong to the base environment.
    for workspace in workspaces {
      let scope = VariableScope()
      let id = workspace["_id"]?.text ?? ""
      for base in resources where base["_type"]?.text == "environment" && base["parentId"]?.text == id {
        define(base, in: scope)
        for inner in resources
        where inner["_type"]?.text == "environment" && inner["parentId"]?.text == base["_id"]?.text {
          add(environment: inner, in: scope)
        }
      }
      known[id] = Inherited(scope: scope)
    }
    let rest = VariableScope()
    for resource in resources where resource["_type"]?.text == "cookie_jar" { cookies(resource) }
    for resource in resources {
      switch resource["_type"]?.text {
      case "request", "grpc_request", "websocket_request", "socketio_request":
        let parent = resource["parentId"]?.text ?? ""
        request(resource, inherited(parent, byID, &known, rest, depth: 0))
      default: break
      }
    }
  }

  /// The settings that requests inherit from a folder and from the folders around it.
  private mutating func inherited(
    _ id: String, _ byID: [String: SourceNode], _ known: inout [String: Inherited], _ rest: VariableScope, depth: Int
  ) -> Inherited {
    if let found = known[id] { return found }
    guard let node = byID[id], node["_type"]?.text == "request_group", depth < Self.maximumDepth else {
      return Inherited(scope: rest)
    }
    let outer = inherited(node["parentId"]?.text ?? "", byID, &known, rest, depth: depth + 1)
    let result = folder(node, outer)
    known[id] = result
    return result
  }

  // MARK: - Environments and folders

  private func define(_ node: SourceNode, in scope: VariableScope) {
    if let data = node["data"] { scope.define(members: data) }
    for pair in node["kvPairData"]?.list ?? [] where pair["enabled"]?.bool ?? true {
      guard let name = pair["name"]?.filled, node["data"]?[name] == nil || pair["type"]?.text == "secret" else {
        continue
      }
      let isSecret = pair["type"]?.text == "secret"
      if isSecret, let value = pair["value"]?.scalar { log.hide(value) }
      scope.define(VariableScope.Definition(name, pair["value"], isSecret: isSecret))
    }
  }

  private mutating func add(environment node: SourceNode, in scope: VariableScope) {
    guard let name = node["name"]?.scalar else { return }
    if !environments.contains(name) { environments.append(name) }
    if name == environment { define(node, in: scope) }
  }

  private mutating func cookies(_ node: SourceNode?) {
    guard let node, node["cookies"]?.list?.isEmpty == false else { return }
    hasCookies = true
    lose(.request, "the cookie jar", "'auth.login', or a header 'Cookie' with a secret", node)
  }

  private mutating func folder(_ node: SourceNode, _ outer: Inherited) -> Inherited {
    let name = node["name"]?.scalar ?? ""
    let scope = VariableScope(in: outer.scope)
    if let data = node["environment"] { scope.define(members: data) }
    var result = Inherited(scope: scope, folders: outer.folders + [name])
    result.auth = InsomniaAuth.isSet(node["authentication"]) ? node["authentication"] : outer.auth
    result.headers = Self.merged(outer.headers, Self.pairs(node["headers"]))
    result.isAffected = outer.isAffected
    for script in Self.scripts(node) {
      result.isAffected = true
      lose(.customCode, "\(script.what) of the folder '\(name)'", script.needs, node)
    }
    return result
  }

  private mutating func lose(_ kind: ImportReport.Kind, _ what: String, _ needs: String, _ node: SourceNode) {
    collection.losses.append(
      RequestCollection.Loss(kind: kind, what: what, needs: needs, origin: OutputMapping.Origin(node)))
  }

  // MARK: - Requests

  private mutating func request(_ node: SourceNode, _ inherited: Inherited) {
    let name = node["name"]?.scalar ?? ""
    let id = (node["_id"] ?? node["meta"]?["id"])?.text ?? ""
    if let kind = Self.foreignKind(node, id) {
      return lose(.request, "request '\(name)' with \(kind)", "a request with HTTP", node)
    }
    var request = CollectedRequest(name: name, origin: OutputMapping.Origin(node), scope: inherited.scope)
    request.folders = inherited.folders
    request.isAffected = inherited.isAffected
    request.description = node["description"]?.filled ?? node["meta"]?["description"]?.filled
    request.method = node["method"]?.text.map { $0.isEmpty ? "GET" : $0.uppercased() } ?? "GET"
    request.url = node["url"]?.scalar ?? ""
    request.pathValues = Self.pairs(node["pathParameters"])
    request.query = Self.pairs(node["parameters"])
    request.headers = Self.merged(inherited.headers, Self.pairs(node["headers"]))
    body(node["body"], into: &request)
    let own = node["authentication"]
    if let auth = InsomniaAuth.isSet(own) ? own : inherited.auth {
      request.auth = InsomniaAuth(auth, log).value
      request.authOrigin = OutputMapping.Origin(auth)
    }
    request.losses = Self.scripts(node)
    settings(node, &request)
    collection.requests.append(request)
  }

  private func settings(_ node: SourceNode, _ request: inout CollectedRequest) {
    let settings = node["settings"]
    let redirects = (settings?["followRedirects"] ?? node["settingFollowRedirects"])?.scalar
    request.followsRedirects = redirects != "off" && redirects != "false"
    request.encodesURL = (settings?["encodeUrl"] ?? node["settingEncodeUrl"])?.bool ?? true
    let sendsCookies = (settings?["cookies"]?["send"] ?? node["settingSendCookies"])?.bool ?? true
    if hasCookies, sendsCookies { request.isAffected = true }
    let isRendered = settings?["renderRequestBody"]?.bool ?? !(node["settingDisableRenderRequestBody"]?.bool ?? false)
    if !isRendered, case .text(let text, _) = request.body, RequestTranslator.isTemplate(text) {
      request.body = .unknown("a body with braces that are not variables", needs: "braces that are sent as written")
    }
  }

  private static func foreignKind(_ node: SourceNode, _ id: String) -> String? {
    switch node["_type"]?.text {
    case "grpc_request"?: return "gRPC"
    case "websocket_request"?: return "WebSocket"
    case "socketio_request"?: return "Socket.IO"
    default: break
    }
    if id.hasPrefix("greq") || node["protoMethodName"] != nil { return "gRPC" }
    if id.hasPrefix("ws-req") { return "WebSocket" }
    if id.hasPrefix("socketio-req") { return "Socket.IO" }
    return id.hasPrefix("mcp-req") ? "MCP" : nil
  }

  private func body(_ node: SourceNode?, into request: inout CollectedRequest) {
    guard let node, node.members != nil else { return }
    request.bodyOrigin = OutputMapping.Origin(node)
    let type = node["mimeType"]?.text ?? ""
    let text = node["text"]?.scalar ?? ""
    switch type.lowercased() {
    case "application/x-www-form-urlencoded": request.body = .form(Self.pairs(node["params"]))
    case "multipart/form-data":
      request.body = .unknown("a multipart form", needs: "a body of the kind 'multipart/form-data'")
    case "application/octet-stream":
      request.body = .unknown("a file as its body", needs: "a body that is read from a file")
    case "application/graphql": graphql(text, into: &request)
    default:
      if !text.isEmpty { request.body = .text(text, mediaType: type.isEmpty ? nil : type) }
    }
  }

  /// The body of a GraphQL request is JSON with the document as a text.
  private func graphql(_ text: String, into request: inout CollectedRequest) {
    guard let value = try? SourceText.json(text), let query = value["query"]?.filled else {
      request.body = .unknown("a GraphQL body that is not JSON", needs: "JSON with a member 'query'")
      return
    }
    let variables = value["variables"]
    request.body = .graphql(
      query: query, variables: variables?.text ?? variables.flatMap { $0.isNull ? nil : SourceText.json($0) },
      operation: value["operationName"]?.filled)
  }

  /// The pairs of a list that are not disabled.
  private static func pairs(_ node: SourceNode?) -> [CollectedRequest.Pair] {
    (node?.list ?? []).compactMap { pair in
      guard let name = pair["name"]?.scalar, !(pair["disabled"]?.bool ?? false) else { return nil }
      return CollectedRequest.Pair(name: name, value: pair["value"]?.scalar ?? "", origin: OutputMapping.Origin(pair))
    }
  }

  /// The headers of a folder. Headers of the same name in inner folders and requests replace them.
  private static func merged(
    _ outer: [CollectedRequest.Pair], _ inner: [CollectedRequest.Pair]
  ) -> [CollectedRequest.Pair] {
    let names = Set(inner.map { $0.name.lowercased() })
    return outer.filter { !names.contains($0.name.lowercased()) } + inner
  }

  private static func scripts(_ node: SourceNode) -> [RequestCollection.Loss] {
    let scripts = [
      ("preRequest", node["scripts"]?["preRequest"] ?? node["preRequestScript"], "expressions or 'auth'"),
      (
        "afterResponse", node["scripts"]?["afterResponse"] ?? node["afterResponseScript"],
        "'expect', 'errors' or 'login'"
      ),
    ]
    return scripts.compactMap { name, script, instead in
      guard let script, let text = script.text, !text.trimmed.isEmpty else { return nil }
      return RequestCollection.Loss(
        kind: .customCode, what: "the script '\(name)'", needs: "\(instead) instead of its code, which is not run",
        origin: OutputMapping.Origin(script))
    }
  }
}
