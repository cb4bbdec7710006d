internal import ByteCodings
public import ReactorCore
internal import TimeSyntax

/// Signs requests with the signature of AWS, version 4 (SigV4).
///
/// Each request is signed when it is sent, so each retry and each page has its own time. The signature
/// covers the URL exactly as the connection sends it. A request to another origin than the base URL's is not signed.
///
/// Source: AWS General Reference, "Create a signed AWS API request".
public struct RequestSignature: Sendable {
  /// The header fields that the signature sets, besides `Authorization`.
  public static let headerNames = ["X-Amz-Date", "X-Amz-Content-Sha256", "X-Amz-Security-Token"]

  private static let algorithm = "AWS4-HMAC-SHA256"

  /// The name of the service in the scope of the signature, such as `s3` or `execute-api`.
  public var service: String
  /// The region in the scope of the signature, such as `eu-central-1`.
  public var region: String
  /// The name of the key.
  public var accessKey: String
  private let secretKey: String
  private let sessionToken: String?
  /// The clock that dates the signatures.
  var wallClock: WallClock = .system
  /// Whether the digest of the body is a header too, which S3 requires.
  var sendsDigest = true

  /// Creates a signature.
  ///
  /// - Parameter sessionToken: the token of temporary credentials; nil or empty for others
  public init(service: String, region: String, accessKey: String, secretKey: String, sessionToken: String?) {
    self.service = service
    self.region = region
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken?.isEmpty == true ? nil : sessionToken
  }

  /// Returns the same signature with another clock for its timestamps.
  public func dated(by wallClock: WallClock) -> RequestSignature {
    var signature = self
    signature.wallClock = wallClock
    return signature
  }

  /// Returns the request with its signature.
  func signed(_ resource: Resource, base: String) throws(ReactorError) -> Resource {
    guard let own = try OwnRequest(resource, base: base) else { return resource }
    guard let time = CivilTime(secondsSince1970: wallClock.sinceEpoch().components.seconds) else {
      throw .server("the clock is outside of the years 0 to 9999, so the request cannot be signed")
    }
    var resource = own.resource
    let date = Self.text(time)
    let digest = Self.digest(resource.body ?? [])
    resource.headers["X-Amz-Date"] = date
    if sendsDigest { resource.headers["X-Amz-Content-Sha256"] = digest }
    if let sessionToken { resource.headers["X-Amz-Security-Token"] = sessionToken }
    let (canonical, names) = canonicalRequest(
      resource, target: own.target[...], host: own.base.authority, digest: digest)
    let scope = "\(date.prefix(8))/\(region)/\(service)/aws4_request"
    let text = "\(Self.algorithm)\n\(date)\n\(scope)\n\(Self.digest(Array(canonical.utf8)))"
    var key = Array("AWS4\(secretKey)".utf8)
    for part in scope.split(separator: "/", omittingEmptySubsequences: false) {
      key = DigestAlgorithm.sha256.authenticationCode(of: Array(part.utf8), key: key)
    }
    let signature = Hex.text(DigestAlgorithm.sha256.authenticationCode(of: Array(text.utf8), key: key))
    resource.headers["Authorization"] =
      "\(Self.algorithm) Credential=\(accessKey)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
    return resource
  }

  /// Returns the canonical text of a request, and the names of the header fields in it.
  func canonicalRequest(
    _ resource: Resource, target: Substring, host: String, digest: String
  ) -> (text: String, headers: String) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var fields: [String: [String]] = ["host": [host]]
    for field in resource.headers.fields {
      let name = String(decoding: field.name.utf8.map(ASCII.lowercased), as: UTF8.self)
      // Proxies may change other fields, and the transport adds some.
      guard name == "content-type" || name.hasPrefix("x-amz-") else { continue }
      fields[name, default: []].append(field.value.split(separator: " ").joined(separator: " "))
    }
    let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let names = sorted.map(\.key).joined(separator: ";")
    let headers = sorted.map { "\($0.key):\($0.value.joined(separator: ","))\n" }.joined()
    let query = parts.count > 1 ? Self.canonicalQuery(parts[1]) : ""
    return (
      "\(resource.method.rawValue)\n\(canonicalPath(parts[0]))\n\(query)\n\(headers)\n\(names)\n\(digest)", names
    )
  }

  /// Returns the path in the form in which the service signs it.
  ///
  /// S3 decodes the path and encodes it again; other services remove empty segments and encode the path as it was sent.
  private func canonicalPath(_ path: Substring) -> String {
    if service == "s3" { return Self.encodedPath(PercentCoding.decode(Array(path.utf8)[...])) }
    let segments = path.split(separator: "/")
    let end = path.hasSuffix("/") && !segments.isEmpty ? "/" : ""
    return Self.encodedPath(Array(("/" + segments.joined(separator: "/") + end).utf8))
  }

  private static func encodedPath(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    PercentCoding.append(bytes[...], to: &result) { PercentCoding.isUnreserved($0) || $0 == UInt8(ascii: "/") }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the parameters sorted by their bytes, with all bytes encoded except unreserved ones.
  private static func canonicalQuery(_ query: Substring) -> String {
    func encoded(_ text: Substring) -> String {
      var result: [UInt8] = []
      PercentCoding.append(PercentCoding.decode(Array(text.utf8)[...])[...], to: &result)
      return String(decoding: result, as: UTF8.self)
    }
    let pairs = query.split(separator: "&").map { pair -> (name: String, value: String) in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (encoded(parts[0]), parts.count > 1 ? encoded(parts[1]) : "")
    }
    return pairs.sorted {
      $0.name == $1.name
        ? $0.value.utf8.lexicographicallyPrecedes($1.value.utf8) : $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  private static func digest(_ bytes: [UInt8]) -> String { Hex.text(DigestAlgorithm.sha256.digest(of: bytes)) }

  /// The instant as `YYYYMMDDTHHMMSSZ`.
  private static func text(_ time: CivilTime) -> String {
    func padded(_ number: Int, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let day = padded(time.year, 4) + padded(time.month, 2) + padded(time.day, 2)
    return "\(day)T\(padded(time.hour, 2))\(padded(time.minute, 2))\(padded(time.second, 2))Z"
  }
}

extension RequestSignature: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The scope; never a key.
  public var description: String { "signature for \(service) in \(region)" }
  /// The same text as `description`.
  public var debugDescription: String { description }
  /// Shows only service and region, so that a dump shows no key.
  public var customMirror: Mirror { Mirror(self, children: ["service": service, "region": region]) }
}
