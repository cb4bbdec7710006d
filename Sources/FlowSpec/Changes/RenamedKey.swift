/// A key that was written in another way in earlier versions. The earlier spelling is an error that names the present one,
/// and `reactor check --fix` replaces it.
struct RenamedKey: Sendable {
  /// How the key is written now.
  enum Present: Sendable {
    /// By another name, with the same value.
    case name(String)
    /// By another name and with another value: the text of the value, in which `…` stands for the earlier value.
    case value(String, String)
    /// By another name, and with another word as its value: the present words by the earlier words.
    case words(String, [String: String])
    /// As a member of another key of the construct. If that other key has a single value, its value becomes the member
    /// `beside`. `beside` is nil if the other key was always a mapping.
    case member(String, of: String, beside: String?)
  }

  /// The constructs that have the key.
  let constructs: Set<ConstructName>
  /// The earlier name of the key.
  let old: String
  let present: Present

  /// All keys that had another spelling in an earlier version.
  static let all: [RenamedKey] = [
    .init([.job], "every", "wait"), .init([.job], "max_every", "max_wait"), .init([.job], "at_once", "concurrency"),
    .init([.job], "status_url", "url"), .init([.job], "delete", "remove"), .init([.job], "abort", "stop"),
    .init([.oauth1], "consumer_key", "client_id"), .init([.oauth1], "consumer_secret", "client_secret"),
    .init([.oauth1], "signature", "algorithm"),
    .init([.sigv4], "access_key", "key_id"), .init([.sigv4], "secret_key", "key"),
    .init([.sigv4], "session_token", "token"),
    .init([.jwt, .assertion], "key_encoding", "encoding"), .init([.jwt, .assertion], "jose_header", "headers"),
    .init([.jwt, .assertion], "lifetime", "expires_after"), .init([.jwt, .assertion], "jti", "id"),
    .init([.login], "expires", "expires_after"), .init([.loginStep], "capture", "values"),
    .init([.login], "token_header", .value("token", "headers.…")),
    .init([.oauth2], "token_url", "url"), .init([.oauth2], "assertion", "jwt"),
    .init([.oauth2], "audience", .member("audience", of: "params", beside: nil)),
    .init([.clientCertificate], "certificate", "file"), .init([.store], "connections", "concurrency"),
    .init([.retry], "honour", "follow"), .init([.retry], "idempotent", "idempotency"),
    .init([.rateBudget], "methods", "method"),
    .init([.each, .eachPart], "limit", "max"), .init([.each, .eachPart], "instead", "only"),
    .init([.each], "max_failed", "max_rejected"),
    .init([.eachBatch], "results", "records"), .init([.eachBatch], "reason", "message"),
    .init([.fieldGroups], "names", "fields"), .init([.fieldGroups], "always", "key"),
    .init([.fieldGroups], "max_length", "max_bytes"),
    .init([.fieldGroups], "missing", "partial"),
    .init([.firstRun], "again_after", "max_age"), .init([.flatten], "separator", "delimiter"),
    .init([.described], "in", "from"), .init([.described], "types", "cases"), .init([.decode], "members", "path"),
    .init([.persistence], "contract", "columns"), .init([.graphql], "operation", "name"),
    .init([.sentRecords], "at", "path"), .init([.sentRecords], "envelope", "json"),
    .init([.sentRecords], "nulls", .words("empty", ["true": "keep", "false": "leave_out"])),
    .init([.fixtureMatch], "ignore_body", .words("body", ["true": "false", "false": "true"])),
    .init([.pages], "first", "start"), .init([.pages], "rel", "from"),
    .init([.pages], "from_header", .value("from", "headers.…")),
    .init([.pages], "least_size", .member("min", of: "size", beside: "max")),
    .init([.cursor], "missing", .words("optional", ["keep": "true", "reject": "false"])),
    .init([.cursor], "end_query", .member("end", of: "query", beside: "start")),
  ]

  private init(_ constructs: Set<ConstructName>, _ old: String, _ name: String) {
    self.init(constructs, old, .name(name))
  }

  private init(_ constructs: Set<ConstructName>, _ old: String, _ present: Present) {
    self.constructs = constructs
    self.old = old
    self.present = present
  }

  /// How a key is written now; nil if no key of the construct had this earlier name.
  static func present(_ old: String, in construct: ConstructName) -> Present? {
    all.first { $0.old == old && $0.constructs.contains(construct) }?.present
  }
}
