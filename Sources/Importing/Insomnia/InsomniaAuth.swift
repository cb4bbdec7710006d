/// An authorization of Insomnia.
struct InsomniaAuth {
  private let node: SourceNode
  private let log: ImportLog

  init(_ node: SourceNode, _ log: ImportLog) {
    self.node = node
    self.log = log
  }

  /// Whether a request or a folder has an authorization of its own; `none` counts as one.
  static func isSet(_ node: SourceNode?) -> Bool { node?["type"]?.filled != nil }

  private func text(_ name: String) -> String { node[name]?.scalar ?? "" }

  /// The authorization in the common form, which the imports of all programs use.
  var value: CollectedAuth {
    guard !(node["disabled"]?.bool ?? false) else { return .none }
    let kind = node["type"]?.text ?? "none"
    switch kind {
    case "none": return .none
    case "bearer": return .bearer(token: text("token"), prefix: text("prefix"))
    case "basic": return .basic(username: text("username"), password: text("password"))
    case "apikey":
      switch text("addTo") {
      case "queryParams": return .key(.query, name: text("key"), value: text("value"))
      case "cookie": return .unknown("apikey in a cookie", needs: "a header 'Cookie' that is written out")
      default: return .key(.header, name: text("key"), value: text("value"))
      }
    case "oauth2": return oauth
    case "iam":
      var result = CollectedSignature()
      result.service = text("service").isEmpty ? "execute-api" : text("service")
      result.region = text("region").isEmpty ? "us-east-1" : text("region")
      (result.accessKey, result.secretKey) = (text("accessKeyId"), text("secretAccessKey"))
      result.sessionToken = text("sessionToken")
      return .aws(result)
    case "digest": return .digest(username: text("username"), password: text("password"))
    case "ntlm": return .unknown("ntlm", needs: "NTLM")
    case "netrc": return .unknown("netrc", needs: "a secret instead of the file .netrc")
    case "oauth1":
      return CollectedOAuth1(
        consumerKey: text("consumerKey"), consumerSecret: text("consumerSecret"), token: text("tokenKey"),
        tokenSecret: text("tokenSecret"), method: text("signatureMethod"), realm: text("realm")
      ).auth
    case "hawk": return .unknown("hawk", needs: "signatures of Hawk; 'auth.sign' can compute some of them")
    case "asap": return .unknown("asap", needs: "'auth.jwt' with the claims of ASAP")
    default: return .unknown(kind, needs: "a known kind of authorization")
    }
  }

  private var oauth: CollectedAuth {
    var result = CollectedOAuth()
    result.tokenURL = text("accessTokenUrl")
    (result.clientID, result.clientSecret) = (text("clientId"), text("clientSecret"))
    (result.username, result.password) = (text("username"), text("password"))
    (result.scope, result.audience) = (text("scope"), text("audience"))
    result.sendsClientInBody = node["credentialsInBody"]?.bool ?? false
    if !text("tokenPrefix").isEmpty { result.prefix = text("tokenPrefix") }
    if !text("resource").isEmpty {
      result.parameters = [
        CollectedRequest.Pair(name: "resource", value: text("resource"), origin: OutputMapping.Origin(node))
      ]
    }
    switch text("grantType") {
    case "client_credentials": result.grant = .clientCredentials
    case "password": result.grant = .password
    case "refresh_token": result.grant = .refreshToken
    default:
      // A person has given consent once; a run needs only the resulting token.
      guard !result.tokenURL.isEmpty, !result.clientID.isEmpty, text("grantType") != "implicit" else {
        log.skip(
          "auth: oauth2", reason: "a person's consent is given outside of flows: give the access token as a secret",
          at: OutputMapping.Origin(node))
        return .bearer(token: text("accessToken"), prefix: result.prefix)
      }
      log.skip(
        "auth: oauth2", reason: "a person's consent is given outside of flows: give the refresh token as a secret",
        at: OutputMapping.Origin(node))
      result.grant = .refreshToken
    }
    return .oauth(result)
  }
}
