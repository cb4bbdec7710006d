package import Authorization
internal import ByteCodings
package import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Storage

/// The authorization of a flow with the values of its templates.
package typealias ResolvedAuth = Auth<FilledText, FilledToken, RequestPlan>

/// A text in the declaration of an authorization, with its value.
package struct FilledText: Sendable {
  /// The text as it is written in the flow file.
  package let template: Template
  /// The value, which may be secret.
  package let value: String

  package init(_ template: Template, value: String) {
    self.template = template
    self.value = value
  }

  /// The text as written, with the names of variables instead of their values; for values that are not secret.
  var words: String { template.sourceText }
  /// The text as written, which contains the name of a secret but not its value. A text without variables is itself the
  /// credential, so it is masked.
  var masked: String { template.constantText == nil ? words : SecretMask.replacement }
}

/// How a token is signed, with the values of the templates filled in.
package final class FilledToken: Sendable {
  package let token: JSONWebToken
  /// The text of the key; nil if only a placeholder of it is known.
  let key: String?
  /// The texts that together identify the credentials.
  let identity: [String?]
  /// The algorithm, the key and the names of the claims, with secrets masked.
  let words: String

  package init(_ token: JSONWebToken, key: FilledText, isPlaceholder: Bool) {
    self.token = token
    self.key = isPlaceholder ? nil : key.value
    let algorithm = token.key.algorithm.rawValue
    let documents = [token.claims, token.header].map { String(decoding: JSONWriter.bytes(.object($0)), as: UTF8.self) }
    identity = [algorithm, self.key] + documents
    let names = token.claims.members.map(\.name).joined(separator: " ")
    words = "\(algorithm), key \(key.masked)" + (names.isEmpty ? "" : ", claims \(names)")
  }
}

/// How a flow's requests are authorized.
///
/// A token is requested only before the first request that needs it.
package struct AuthPlan: Sendable {
  /// The kind of authorization; nil if none is declared.
  let auth: ResolvedAuth?
  /// The identity of the declared credentials. It does not change with the tokens obtained with them.
  let identity: CredentialIdentity
  /// The texts before and after the description of the authorization, which say which case of `choose` applies; nil
  /// without `choose`.
  private let choice: (start: String, end: String)?

  /// Creates a plan without credentials.
  package init() { (auth, identity, choice) = (nil, .none, nil) }

  /// Creates the plan for a kind of authorization.
  ///
  /// - Parameters:
  ///   - secrets: the values of the secrets that computed fields use, nil for an unknown value
  package init(_ auth: ResolvedAuth, choice: (start: String, end: String)?, secrets: [String?] = []) {
    self.auth = auth
    identity = auth.identity(secrets)
    self.choice = choice
  }

  /// The kind of authorization in one word, such as `bearer`; nil without credentials.
  var kind: String? { auth?.kind }

  /// Whether refresh tokens are persisted, because each can be used only once.
  var persistsTokens: Bool {
    guard case .oauth2(let oauth2)? = auth else { return false }
    return oauth2.refreshTokenName != nil
  }

  /// A digest of the declared credentials; nil without credentials.
  var digest: UInt64? { identity == .none ? nil : ContentHash.of(identity.text.utf8) }

  /// A description of the credentials, with secrets masked.
  ///
  /// - Parameter state: the store of the refresh tokens
  func text(in state: any StateStore) -> String? {
    guard let auth else { return nil }
    let (start, end) = auth.words
    var text = (choice?.start ?? "") + start
    if case .oauth2(let oauth2) = auth, let document = oauth2.refreshTokenDocument(in: state) {
      text += " or the newer one in \(document.shown)"
    }
    return text + end + (choice?.end ?? "")
  }
}
