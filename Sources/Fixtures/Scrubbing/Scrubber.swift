internal import ByteCodings
internal import ReactorCore

/// Takes out of what was exchanged with a server everything that must not lie in a fixture, and puts back what a replay
/// needs: secrets become `{{secret:NAME}}` by value, whatever encoding they are in, and the server becomes `{{base}}`.
///
/// `restore(scrub(x))` gives `x` with its secrets replaced: text in the form of a mark is written as `{{literal}}…`.
package struct Scrubber: Sendable {
  private let marker: ByteReplacer
  private let restorer: ByteReplacer
  private let secrets: [String: String]

  /// Takes servers and secrets by name.
  ///
  /// - Parameters:
  ///   - keepsMarks: whether marks of secrets that are in the text already stay what they are, which is so for requests
  ///     of a replay: they are made from scrubbed responses.
  ///   - encoded: knows the forms of the secrets
  package init(
    bases: [FixtureBase], secrets: [String: String] = [:], keepsMarks: Bool = false,
    encoded: EncodedSecrets = EncodedSecrets()
  ) {
    var patterns: [ByteReplacer.Pattern] = []
    var known: Set<[UInt8]> = []
    for (name, value) in secrets.sorted(by: { $0.key < $1.key }) where value.utf8.count >= SecretEncodings.shortest {
      let mark = Array(Self.mark(of: name).utf8)
      for bytes in encoded.all(of: value) {
        // Servers change the case of what they echo; a short word in another case is another word.
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
        // Two names of one server: the first one speaks.
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

  /// What stands for a secret, in fixtures and in requests of a replay; what follows a `#` in its name is left out.
  package static func mark(of secret: String) -> String { "{{secret:\(secret.prefix { $0 != "#" })}}" }

  /// The bytes without secrets and servers.
  package func scrub(_ bytes: [UInt8]) -> [UInt8] { marker.replace(bytes) }

  /// The text without secrets and servers.
  package func scrub(_ text: String) -> String { marker.replace(text) }

  /// The bytes with the servers of this moment; secrets stay marks.
  package func restore(_ bytes: [UInt8]) -> [UInt8] { restorer.replace(bytes) }

  /// The text with the servers of this moment; secrets stay marks.
  package func restore(_ text: String) -> String { restorer.replace(text) }
}
