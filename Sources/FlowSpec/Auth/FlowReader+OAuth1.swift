import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  mutating func oauth1(_ value: FieldValue) -> AuthDeclaration? {
    guard let nodes = open(value, as: .oauth1) else { return nil }
    let errors = errorCount
    let key = read(OAuth1Keys.consumerKey, of: nodes)
    let secret = read(OAuth1Keys.consumerSecret, of: nodes)
    let token = read(OAuth1Keys.token, of: nodes)
    let tokenSecret = read(OAuth1Keys.tokenSecret, of: nodes)
    let signature = read(OAuth1Keys.signature, of: nodes)
    let realm = read(OAuth1Keys.realm, of: nodes)
    if nodes.isLeftOut(OAuth1Keys.token), let range = nodes.key(OAuth1Keys.tokenSecret) {
      report(.authForm, "'token_secret' has no 'token'", at: range, help: "add 'token', or leave the secret out")
    }
    for case .text(let text) in realm?.value.segments ?? [] where text.contains("\"") || text.contains("\\") {
      report(.authValue, "a realm holds no quotes and no backslashes", at: realm?.range ?? value.node.range)
    }
    guard errors == errorCount, !nodes.hasError, let key, let secret else { return nil }
    return .oauth1(
      AuthDeclaration.OAuth1(
        consumerKey: key, consumerSecret: secret, token: token, tokenSecret: tokenSecret,
        signature: signature ?? .hmacSHA1, realm: realm))
  }

  mutating func digest(_ value: FieldValue) -> AuthDeclaration? {
    guard let nodes = open(value, as: .digest) else { return nil }
    let password = read(DigestKeys.password, of: nodes)
    guard let username = read(DigestKeys.username, of: nodes), let password else { return nil }
    for case .text(let text) in username.value.segments where text.contains(":") {
      return fail(
        .authValue, "a user name holds no colon", at: username.range, help: "a digest could not tell it from the realm")
    }
    return .digest(username: username, password: password)
  }
}
