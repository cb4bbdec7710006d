/// A key that had another name in earlier versions. The earlier name is an error that names the present one, and `reactor
/// check --fix` replaces it.
struct RenamedKey: Sendable {
  /// The constructs whose key it is.
  let constructs: Set<ConstructName>
  /// The earlier name.
  let old: String
  /// The present name.
  let new: String

  /// All keys that had another name.
  static let all: [RenamedKey] = [
    .init([.job], "every", "wait"), .init([.job], "max_every", "max_wait"), .init([.job], "at_once", "concurrency"),
    .init([.oauth1], "consumer_key", "client_id"), .init([.oauth1], "consumer_secret", "client_secret"),
    .init([.oauth1], "signature", "algorithm"),
    .init([.sigv4], "access_key", "key_id"), .init([.sigv4], "secret_key", "key"),
    .init([.sigv4], "session_token", "token"),
    .init([.jwt, .assertion], "key_encoding", "encoding"), .init([.jwt, .assertion], "jose_header", "headers"),
    .init([.jwt, .assertion], "lifetime", "expires_after"),
    .init([.login], "expires", "expires_after"), .init([.loginStep], "capture", "values"),
    .init([.oauth2], "token_url", "url"), .init([.clientCertificate], "certificate", "file"),
    .init([.retry], "honour", "follow"), .init([.rateBudget], "methods", "method"),
    .init([.eachBatch], "results", "records"), .init([.eachBatch], "reason", "message"),
    .init([.firstRun], "again_after", "max_age"), .init([.flatten], "separator", "delimiter"),
    .init([.described], "in", "from"), .init([.decode], "members", "path"),
    .init([.persistence], "contract", "columns"), .init([.graphql], "operation", "name"),
    .init([.sentRecords], "at", "path"), .init([.sentRecords], "envelope", "json"),
  ]

  private init(_ constructs: Set<ConstructName>, _ old: String, _ new: String) {
    self.constructs = constructs
    self.old = old
    self.new = new
  }

  /// The present name of a key; nil if the construct had no key of the name.
  static func name(of old: String, in construct: ConstructName) -> String? {
    all.first { $0.old == old && $0.constructs.contains(construct) }?.new
  }
}
