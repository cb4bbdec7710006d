internal import CCurl

/// The content coding of a body, RFC 9110 section 8.4.
enum ContentCoding: Sendable, Hashable, CaseIterable {
  case identity, gzip, deflate, brotli, zstd

  /// Reads one name from a Content-Encoding field; nil for unknown names.
  init?(field name: String) {
    switch name.lowercased() {
    case "identity", "": self = .identity
    case "gzip", "x-gzip": self = .gzip
    case "deflate": self = .deflate
    case "br": self = .brotli
    case "zstd": self = .zstd
    default: return nil
    }
  }

  /// The coding's name in an Accept-Encoding field.
  var name: String {
    switch self {
    case .identity: "identity"
    case .gzip: "gzip"
    case .deflate: "deflate"
    case .brotli: "br"
    case .zstd: "zstd"
    }
  }

  /// The decoder's number for the coding; 0 for `identity`.
  var code: Int32 {
    switch self {
    case .identity: 0
    case .gzip: Int32(ccurl_gzip)
    case .deflate: Int32(ccurl_deflate)
    case .brotli: Int32(ccurl_brotli)
    case .zstd: Int32(ccurl_zstd)
    }
  }

  /// Whether this machine can decode the coding.
  var isAvailable: Bool { self == .identity || ccurl_decoder_is_available(code) == 1 }

  /// The Accept-Encoding field's value: the codings that can be decoded.
  ///
  /// `deflate` is left out because servers disagree on its format.
  static let accepted: String = [ContentCoding.gzip, .brotli, .zstd].filter(\.isAvailable).map(\.name)
    .joined(separator: ", ")
}
