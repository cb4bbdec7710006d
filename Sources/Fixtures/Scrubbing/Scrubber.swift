internal import ByteCodings
internal import ReactorCore

/// Replaces secrets and servers with marks, and restores the servers for a replay.
///
/// Secrets become `{{secret:NAME}}`: they are found by value, in every known encoding. The server becomes `{{base}}`.
///
/// `restore(scrub(x))` returns `x` with its secrets replaced. Text that looks like a mark is written as `{{literal}}…`.
package struct Scrubber: Sendable {
  private let marker: ByteReplacer
  private let restorer: ByteReplacer
  private let secrets: [String: String]
  /// Replaces texts that a request computed from secrets, after the secrets themselves are replaced.
  private var derived = ByteReplacer([])

  /// Creates a scrubber for servers and secrets.
  ///
  /// - Parameters:
  ///   - secrets: the values of the secrets by name
  ///   - keepsMarks: whether secret marks that are already in the text stay unchanged. True for the requests of a
  ///     replay, because they are built from scrubbed responses.
  ///   - encoded: caches the encodings of the secrets
  package init(
    bases: [FixtureBase], secrets: [String: String] = [:], keepsMarks: Bool = false,
    encoded: EncodedSecrets = EncodedSecrets()
  ) {
    var patterns: [ByteReplacer.Pattern] = []
    var known: Set<[UInt8]> = []
    for (name, value) in secrets.sorted(by: { $0.key < $1.key }) where value.utf8.count >= SecretEncodings.shortest {
      let mark = Array(Self.mark(of: name).utf8)
      for bytes in encoded.all(of: value) {
        // Servers may change the case of a value that they return. A short word in another case is probably another
        // word.
        let isFolded = bytes.count >= 8
        guard known.insert(isFolded ? bytes.map(ASCII.lowercased) : bytes).inserted else { continue }
        patterns.append(.init(bytes: bytes, replacement: mark, isFolded: isFolded))
      }
    }
    var marks: [ByteReplacer.Pattern] = []
    var texts: Set<String> = []
    for base in bases {
      for (text, mark, before) in base.marks {
        marks.append(.init(bytes: Array(mark.utf8), replacement: Array(text.utf8)))
        // If one server has two names, the first name is used.
        guard texts.insert(text).inserted else { continue }
        patterns.append(
          .init(
            bytes: Array(text.utf8), replacement: Array(mark.utf8), before: before,
            after: base.url.authority == base.url.host ? .host : .port))
      }
    }
    marks.append(.init(bytes: Array("{{literal}}".utf8), replacement: Array("{{".utf8)))
    var beginnings = bases.map { "{{\($0.name)" } + ["{{literal}}"]
    if !keepsMarks { beginnings.append("{{secret:") }
    for beginning in beginnings {
      let replacement = Array(("{{literal}}" + beginning.dropFirst(2)).utf8)
      patterns.append(.init(bytes: Array(beginning.utf8), replacement: replacement))
    }
    marker = ByteReplacer(patterns)
    restorer = ByteReplacer(marks)
    self.secrets = secrets
  }

  /// The mark that replaces a text which a request computed from a secret, such as a signature.
  static let derivedMark = mark(of: "derived")

  /// Returns the mark of a secret, for fixtures and for requests of a replay.
  ///
  /// The part of the secret's name from `#` on is left out.
  package static func mark(of secret: String) -> String { "{{secret:\(secret.prefix { $0 != "#" })}}" }

  /// The same scrubber, which also replaces texts that a request computed from secrets, such as its signature.
  ///
  /// If such a text contains a plain secret, or its mark in a replay, only the secret is replaced and the rest stays.
  func hiding(_ texts: [String]) -> Scrubber {
    let unknown = texts.filter { scrub($0) == $0 && !$0.contains("{{secret:") }
    guard !unknown.isEmpty else { return self }
    let mark = Array(Self.derivedMark.utf8)
    var scrubber = self
    scrubber.derived = ByteReplacer(
      unknown.flatMap { text in
        SecretEncodings.all(of: text).map { .init(bytes: $0, replacement: mark, isFolded: $0.count >= 8) }
      })
    return scrubber
  }

  /// Returns the bytes with secrets and servers replaced.
  package func scrub(_ bytes: [UInt8]) -> [UInt8] { derived.replace(marker.replace(bytes)) }

  /// Returns a reader of a content with secrets and servers replaced.
  ///
  /// - Parameter size: the maximum size in bytes of the pieces that are read
  package func scrubbed(_ content: FixtureContent, inPiecesOf size: Int = 256 << 10) throws(FixtureError)
    -> FixturePieces
  {
    try content.pieces(marker, of: size)
  }

  /// Returns a reader of a content in which each mark of a server is replaced by the address of the current server.
  func restored(_ content: FixtureContent) throws(FixtureError) -> FixturePieces {
    try content.pieces(restorer)
  }

  /// Returns the text with secrets and servers replaced.
  package func scrub(_ text: String) -> String { derived.replace(marker.replace(text)) }

  /// Returns the bytes with each mark of a server replaced by the address of the current server. Marks of secrets stay.
  package func restore(_ bytes: [UInt8]) -> [UInt8] { restorer.replace(bytes) }

  /// Returns the text with each mark of a server replaced by the address of the current server. Marks of secrets stay.
  package func restore(_ text: String) -> String { restorer.replace(text) }
}
