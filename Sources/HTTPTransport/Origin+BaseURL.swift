internal import ReactorCore

extension Origin {
  /// The origin of a base URL that was checked before, as libcurl will connect to it.
  init(of baseURL: String) throws(ReactorError) {
    if let plain = Self.plain(baseURL) {
      self = plain
      return
    }
    guard let address = try? WebAddress(baseURL) else {
      throw .server(HTTPClient.missingLibrary ?? "the base URL cannot be used")
    }
    self = address.origin
  }

  /// The origin of a base URL whose host every parser reads alike; nil when libcurl's has to judge.
  ///
  /// It spares runs that are answered from persisted results the loading of libcurl.
  static func plain(_ text: String) -> Origin? {
    guard let base = try? BaseURL(parsing: text), base.writtenPort != 0 else { return nil }
    let labels = base.host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.allSatisfy({ $0.allSatisfy(isPlain) }), isName(labels) || isAddress(labels) else { return nil }
    return Origin(scheme: base.scheme, host: base.host, port: base.port)
  }

  /// A last label that begins with a letter rules out every way of writing an IPv4 address.
  private static func isName(_ labels: [Substring.UTF8View]) -> Bool {
    guard let lead = labels.last?.first, !isDigit(lead), lead != UInt8(ascii: "-") else { return false }
    return labels.allSatisfy { !$0.isEmpty }
  }

  /// Four decimal numbers without leading zeros, which some take for octal.
  private static func isAddress(_ labels: [Substring.UTF8View]) -> Bool {
    labels.count == 4
      && labels.allSatisfy { label in
        (1...3).contains(label.count) && label.allSatisfy(isDigit)
          && (label.count == 1 || label.first != UInt8(ascii: "0"))
          && label.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
      }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isPlain(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
  }
}
