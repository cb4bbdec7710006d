/// An authorization of Postman: a kind, and its attributes as a list (v2.1) or as an object (v2.0).
struct PostmanAuth {
  private let kind: String
  private let attributes: [String: SourceNode]
  private let node: SourceNode
  private let log: ImportLog

  init(_ node: SourceNode, _ log: ImportLog) {
    self.node = node
    self.log = log
    kind = node["type"]?.text ?? "noauth"
    var attributes: [String: SourceNode] = [:]
    for element in node[kind]?.list ?? [] {
      if let key = element["key"]?.text { attributes[key] = element["value"] }
    }
    for member in node[kind]?.members ?? [] { attributes[member.name] = member.value }
    self.attributes = attributes
  }

  private func text(_ name: String) -> String { attributes[name]?.scalar ?? "" }

  /// The authorization in the common form, which the imports of all programs use.
  var value: CollectedAuth {
    switch kind {
    case "noauth": .none
    case "bearer": .bearer(token: text("token"), prefix: "")
    case "basic": .basic(username: text("username"), password: text("password"))
    case "apikey":
      .key(text("in") == "query" ? .query : .header, name: text("key"), value: text("value"))
    case "oauth2": oauth
    case "awsv4": signature
    case "jwt": token
    case "digest": .digest(username: text("username"), password: text("password"))
    case "oauth1":
      CollectedOAuth1(
        consumerKey: text("consumerKey"), consumerSecret: text("consumerSecret"), token: text("token"),
        tokenSecret: text("tokenSecret"), method: text("signatureMethod"), realm: text("realm")
      ).auth
    case "hawk": .unknown("hawk", needs: "signatures of Hawk; 'auth.sign' can compute some of them")
    case "ntlm": .unknown("ntlm", needs: "NTLM")
    case "edgegrid": .unknown("edgegrid", needs: "signatures of Akamai EdgeGrid; 'auth.sign' can compute some of them")
    case "asap": .unknown("asap", needs: "'auth.jwt' with the claims of ASAP")
    default: .unknown(kind, needs: "a known kind of authorization")
    }
  }

  private var signature: CollectedAuth {
    guard !(attributes["addAuthDataToQuery"]?.bool ?? false) else {
      return .unknown("awsv4 in the query", needs: "a signature in headers")
    }
    var result = CollectedSignature()
    result.service = text("service").isEmpty ? "execute-api" : text("service")
    result.region = text("region").isEmpty ? "us-east-1" : text("region")
    (result.accessKey, result.secretKey) = (text("accessKey"), text("secretKey"))
    result.sessionToken = text("sessionToken")
    return .aws(result)
  }

  private var token: CollectedAuth {
    var result = CollectedToken()
    result.algorithm = text("algorithm").isEmpty ? "HS256" : text("algorithm")
    result.key = result.algorithm.hasPrefix("HS") ? text("secret") : text("privateKey")
    result.isBase64 = attributes["isSecretBase64Encoded"]?.bool ?? false
    (result.claims, result.header) = (text("payload"), text("headers").isEmpty ? text("header") : text("headers"))
    result.location = text("addTokenTo") == "queryParam" ? .query : .header
    if let prefix = attributes["headerPrefix"]?.scalar { result.prefix = prefix }
    if !text("queryParamKey").isEmpty { result.parameter = text("queryParamKey") }
    return .jwt(result)
  }

  private var oauth: CollectedAuth {
    var result = CollectedOAuth()
    let refresh = text("refreshTokenUrl")
    result.tokenURL = text("accessTokenUrl")
    (result.clientID, result.clientSecret) = (text("clientId"), text("clientSecret"))
    (result.username, result.password) = (text("username"), text("password"))
    (result.scope, result.audience) = (text("scope"), text("audience"))
    result.sendsClientInBody = text("client_authentication") == "body"
    result.location = text("addTokenTo") == "queryParams" ? .query : .header
    if let prefix = attributes["headerPrefix"]?.scalar { result.prefix = prefix.trimmed }
    for parameter in attributes["tokenRequestParams"]?.list ?? [] where parameter["enabled"]?.bool ?? true {
      guard let key = parameter["key"]?.filled, let value = parameter["value"]?.scalar else { continue }
      guard parameter["send_as"]?.text ?? "request_body" == "request_body" else {
        return .unknown(
          "oauth2 whose token request has the \(parameter["send_as"]?.text ?? "") '\(key)'",
          needs: "only pairs in its form")
      }
      result.parameters.append(
        CollectedRequest.Pair(name: key, value: value, origin: OutputMapping.Origin(parameter)))
    }
    switch text("grant_type") {
    case "client_credentials": result.grant = .clientCredentials
    case "password_credentials": result.grant = .password
    default:
      // A person has given consent once; a run needs only the resulting token.
      guard !result.tokenURL.isEmpty, !result.clientID.isEmpty, text("grant_type") != "implicit" else {
        log.skip(
          "auth: oauth2", reason: "a person's consent is given outside of flows: give the access token as a secret",
          at: OutputMapping.Origin(node))
        let token = text("accessToken")
        return result.location == .query
          ? .key(.query, name: "access_token", value: token) : .bearer(token: token, prefix: result.prefix)
      }
      log.skip(
        "auth: oauth2", reason: "a person's consent is given outside of flows: give the refresh token as a secret",
        at: OutputMapping.Origin(node))
      result.grant = .refreshToken
      if !refresh.isEmpty { result.tokenURL = refresh }
    }
    return .oauth(result)
  }
}
