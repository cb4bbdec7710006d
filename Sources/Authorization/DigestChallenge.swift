internal import ByteCodings
internal import ReactorCore

/// The challenge of a server in a response with status 401 (RFC 7616, section 3.3).
struct DigestChallenge: Sendable, Hashable {
  let realm: String
  let nonce: String
  let opaque: String?
  /// The algorithm as the server writes it; nil if the server names none, which means MD5.
  let algorithmName: String?
  let algorithm: DigestAlgorithm
  /// Whether the digest of the password also covers both nonces (for algorithms whose names end in `-sess`).
  let isSession: Bool
  /// The kind of protection: `auth`, else `auth-int`; nil for a server that follows RFC 2069.
  let protection: String?
  let isStale: Bool
  /// Whether the user name is sent as a digest.
  let hidesUser: Bool

  /// The strongest challenge of the fields `WWW-Authenticate` that can be answered.
  init?(_ fields: [String]) {
    let known = fields.flatMap { ChallengeField.challenges(in: $0) }.compactMap { DigestChallenge($0) }
    guard let best = known.max(by: { $0.algorithm.length < $1.algorithm.length }) else { return nil }
    self = best
  }

  private init?(_ challenge: ChallengeField) {
    guard challenge.scheme.lowercased() == "digest", let realm = challenge["realm"], let nonce = challenge["nonce"]
    else { return nil }
    self.realm = realm
    self.nonce = nonce
    opaque = challenge["opaque"]
    algorithmName = challenge["algorithm"]
    let name = (algorithmName ?? "MD5").uppercased()
    isSession = name.hasSuffix("-SESS")
    switch isSession ? String(name.dropLast(5)) : name {
    case "MD5": algorithm = .md5
    case "SHA-256": algorithm = .sha256
    default: return nil
    }
    if let offered = challenge["qop"]?.lowercased() {
      let words = offered.split { $0 == "," || $0 == " " }
      guard let word = ["auth", "auth-int"].first(where: { words.contains($0[...]) }) else { return nil }
      protection = word
    } else {
      protection = nil
    }
    isStale = challenge["stale"]?.lowercased() == "true"
    hidesUser = challenge["userhash"]?.lowercased() == "true"
  }

  private init(_ other: DigestChallenge, nonce: String) {
    realm = other.realm
    self.nonce = nonce
    opaque = other.opaque
    algorithmName = other.algorithmName
    algorithm = other.algorithm
    isSession = other.isSession
    protection = other.protection
    isStale = false
    hidesUser = other.hidesUser
  }

  /// The same challenge with the next nonce from the `Authentication-Info` fields of a response; nil if they name none.
  func renewed(by fields: [String]) -> DigestChallenge? {
    fields.lazy.compactMap { ChallengeField.challenges(in: "Digest \($0)").first?["nextnonce"] }.first.map {
      DigestChallenge(self, nonce: $0)
    }
  }
}
