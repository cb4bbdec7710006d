/// The files with which a client proves its identity to the server (TLS client authentication).
public struct HTTPClientCertificate: Sendable, Hashable {
  /// The path of a PEM file with the certificate and the certificates of its issuers, or of a PKCS #12 file if it ends
  /// with `.p12` or `.pfx`.
  public var certificate: String
  /// The path of a PEM file with the private key; nil if the file of the certificate contains it.
  public var key: String?
  /// The password of the private key; nil if it has none.
  public var password: String?

  /// Stores the paths; the files are not read here.
  public init(certificate: String, key: String? = nil, password: String? = nil) {
    self.certificate = certificate
    self.key = key
    self.password = password
  }

  /// libcurl's name of the certificate's format.
  var format: String {
    let path = certificate.lowercased()
    return path.hasSuffix(".p12") || path.hasSuffix(".pfx") ? "P12" : "PEM"
  }
}

extension HTTPClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The path of the certificate; never the password.
  public var description: String { "client certificate \(certificate)" }
  /// The same text as `description`.
  public var debugDescription: String { description }
  /// Shows only the paths, so that a dump does not show the password.
  public var customMirror: Mirror { Mirror(self, children: ["certificate": certificate, "key": key ?? ""]) }
}
