import Foundation
import JSONSyntax
import TestSupport

extension GuideService {
  /// A shop that takes each kind of credential, as one shop hardly would.
  static let auth: Script = { call, memory in
    let authorization = call.request["authorization"] ?? ""
    switch call.path {
    case "/oauth/token": return token(call, authorization, &memory)
    case "/challenge":
      memory.tokens += 1
      return .json(#"{"nonce":"n-\#(memory.tokens)"}"#)
    case "/login":
      guard call.method == "POST", call.json["password"]?.string == "tea-and-biscuits",
        call.json["nonce"]?.string == "n-\(memory.tokens)"
      else { return .unauthorized }
      return .json(#"{"session":{"token":"session-\#(memory.tokens)-of-ada","expires_in":600}}"#)
    case "/digest/orders":
      guard authorization.hasPrefix("Digest username=\"ada\", realm=\"shop\", uri=\"/digest/orders\"") else {
        var reply = Reply.unauthorized
        reply.fields.append(
          ("WWW-Authenticate", #"Digest realm="shop", nonce="n-1", qop="auth", algorithm=SHA-256"#))
        return reply
      }
      return .json(#"[{"id":1,"amount":"12.50"},{"id":2,"amount":"7.00"}]"#)
    default: break
    }
    let basic = "Basic " + Data("ada:tea-and-biscuits".utf8).base64EncodedString()
    let taken = ["Bearer demo-token-4711", basic, "Bearer access-\(memory.tokens)-of-the-shop"]
    let isSigned = claims(authorization)?["aud"]?.string == "the-shop"
    let isWelcome =
      isSigned || call.request["x-signature"]?.count == 64
      || authorization.hasPrefix("OAuth oauth_consumer_key=\"reactor-demo\", oauth_token=\"demo-account\"")
      || authorization.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/") || taken.contains(authorization)
      || call.request["x-api-key"] == "demo-key-0815"
      || (memory.tokens > 0 && call.request["x-session"] == "session-\(memory.tokens)-of-ada")
    guard isWelcome else { return .unauthorized }
    switch call.path {
    case "/orders": return .json(#"[{"id":1,"amount":"12.50"},{"id":2,"amount":"7.00"}]"#)
    case "/returns": return .json(#"[{"id":9,"order":1}]"#)
    default: return .notFound
    }
  }

  /// The claims of a signed token; nil for another credential. Nobody checks the signature here.
  private static func claims(_ authorization: String) -> JSONValue? {
    let parts = authorization.dropFirst("Bearer ".count).split(separator: ".")
    guard authorization.hasPrefix("Bearer "), parts.count == 3 else { return nil }
    var text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    return Data(base64Encoded: String(text)).flatMap { try? JSONValue(parsing: Array($0)) }
  }

  /// RFC 6749, sections 4.4 and 6; a refresh token works once.
  private static func token(_ call: Call, _ authorization: String, _ memory: inout Memory) -> Reply {
    var form = URLComponents()
    form.percentEncodedQuery = String(decoding: call.request.body, as: UTF8.self)
    let fields = Dictionary(
      (form.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
    if fields["grant_type"]?.hasSuffix(":jwt-bearer") ?? false {
      guard claims("Bearer \(fields["assertion"] ?? "")")?["iss"]?.string == "ada@shop.example" else {
        return .json(#"{"error":"invalid_grant"}"#, status: 400)
      }
      memory.tokens += 1
      return .json(#"{"access_token":"access-\#(memory.tokens)-of-the-shop","token_type":"Bearer","expires_in":3600}"#)
    }
    let client = "Basic " + Data("reactor:tea-and-biscuits".utf8).base64EncodedString()
    guard authorization == client else { return .json(#"{"error":"invalid_client"}"#, status: 401) }
    switch fields["grant_type"] {
    case "client_credentials" where fields["scope"] == "orders.read":
      memory.tokens += 1
      return .json(#"{"access_token":"access-\#(memory.tokens)-of-the-shop","token_type":"Bearer","expires_in":3600}"#)
    case "refresh_token" where fields["refresh_token"] == "refresh-\(memory.tokens)-from-the-shop":
      memory.tokens += 1
      return .json(
        """
        {"access_token":"access-\(memory.tokens)-of-the-shop","token_type":"Bearer","expires_in":3600,\
        "refresh_token":"refresh-\(memory.tokens)-from-the-shop"}
        """)
    default: return .json(#"{"error":"invalid_grant"}"#, status: 400)
    }
  }
}
