internal import CCurl

/// The content coding of a body, RFC 9110 section 8.4.
enum ContentCoding: Sendable, Hashable, CaseIterable {
  case identity, gzip, deflate, brotli, zstd

  /// Reads one name of a Content-Encoding field; nil for names that are not known.
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

  /// The name in an Accept-Encoding field.
  var name: String {
    switch self {
    case .identity: "identity"
    case .gzip: "gzip"
    case .deflate: "deflate"
    case .brotli: "br"
    case .zstd: "zstd"
    }
  }

  /// The decoder's number for it; 0 for none.
  var code: Int32 {
    switch self {
    case .identity: 0
    case .gzip: Int32(ccurl_gzip)
    case .deflate: Int32(ccurl_deflate)
    case .brotli: Int32(ccurl_brotli)
    case .zstd: Int32(ccurl_zstd)
    }
  }

  /// Whether it can be decoded on this machine.
  var isAvailable: Bool { self == .identity || ccurl_decoder_is_available(code) == 1 }

  /// The Accept-Encoding field's value: what can be decoded, `deflate` left out because servers disagree on what it is.
  static let accepted: String = [ContentCoding.gzip, .brotli, .zstd].filter(\.isAvailable).map(\.name)
    .joined(separator: ", ")
}
