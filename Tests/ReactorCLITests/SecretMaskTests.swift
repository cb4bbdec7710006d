import ByteCodings
import Fixtures
import Foundation
import ReactorCLI
import Testing

@Suite struct SecretMaskTests {
  @Test func `secrets that are added in several steps are all masked`() {
    var mask = SecretMask(["A": "first-value", "P": "p"])
    mask.formUnion(SecretMask(["B": "second-value", "A": "first-value", "Q": "q"]))
    var other = SecretMask()
    other.formUnion(mask)
    #expect(other.mask("first-value SECOND-VALUE c2Vjb25kLXZhbHVl x") == "*** *** *** x")
    #expect(other.unmasked == ["P", "Q"])
    let sink = OutputSink(descriptor: 1)
    sink.learn("first-value")
    sink.hide(SecretMask(["B": "second-value"]))
    #expect(sink.masked("first-value second-value") == "*** ***")
  }

  static let secrets = [
    "s3cr3t-t0ken", "p@ss w/rd+&<\"'>\\x", "Grüße-🙂-ключ", "abcd", "line one\nline two is longer", "  padded value  ",
    "aGVsbG8=/+", "00ff00ff", "Zm9vYmFy{}[]|^`", "0123456789abcdef0123456789abcdef",
  ]

  /// Each encoding as other programs make it.
  static let encodings: [(name: String, encode: @Sendable (String) -> String)] = [
    ("plain", { $0 }),
    ("base64", { Data($0.utf8).base64EncodedString() }),
    ("base64 after one byte", { Data(("x" + $0).utf8).base64EncodedString() }),
    ("base64 after two bytes", { Data(("xy" + $0 + "tail").utf8).base64EncodedString() }),
    (
      "base64url",
      {
        Data($0.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
          .replacingOccurrences(of: "/", with: "_")
      }
    ),
    ("hex", { $0.utf8.map { String(format: "%02x", $0) }.joined() }),
    ("HEX", { $0.utf8.map { String(format: "%02X", $0) }.joined() }),
    ("every byte percent", { $0.utf8.map { String(format: "%%%02X", $0) }.joined() }),
    ("every byte percent, lower case", { $0.utf8.map { String(format: "%%%02x", $0) }.joined() }),
    ("every character escaped", { $0.utf16.map { String(format: "\\u%04x", $0) }.joined() }),
    ("every character escaped, upper case", { $0.utf16.map { String(format: "\\u%04X", $0) }.joined() }),
    ("every byte escaped", { $0.utf8.map { String(format: "\\x%02x", $0) }.joined() }),
    ("numbers of XML", { $0.unicodeScalars.map { "&#\($0.value);" }.joined() }),
    ("hexadecimal numbers of XML", { $0.unicodeScalars.map { "&#x" + String($0.value, radix: 16) + ";" }.joined() }),
    ("percent", { $0.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "" }),
    (
      "percent, lower case",
      { text in
        text.utf8.map {
          unreserved.contains(Unicode.Scalar($0)) && $0 < 128
            ? String(Unicode.Scalar($0)) : String(format: "%%%02x", $0)
        }
        .joined()
      }
    ),
    (
      "form",
      {
        ($0.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")
          .replacingOccurrences(of: "%20", with: "+")
      }
    ),
    (
      "JSON",
      {
        String(decoding: (try? JSONEncoder().encode([$0])) ?? Data(), as: UTF8.self).dropFirst(2).dropLast(2)
          .description
      }
    ),
    (
      "XML",
      {
        $0.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
          .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
          .replacingOccurrences(of: "'", with: "&#39;")
      }
    ),
  ]

  static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  @Test(arguments: secrets) func `no encoding of a secret survives`(secret: String) {
    let mask = SecretMask(["TOKEN": secret])
    for (name, encode) in Self.encodings {
      let encoded = encode(secret)
      let masked = mask.mask("before>>\(encoded)<<after")
      #expect(masked.contains("***"), "\(name): \(masked)")
      #expect(!masked.contains(encoded), "\(name): \(masked)")
      #expect(masked.hasPrefix("before>>") && masked.hasSuffix("<<after"), "\(name): \(masked)")
    }
  }

  @Test func `the rest of a base64 run does not show the secret`() {
    let mask = SecretMask(["T": "correct horse battery"])
    for prefix in ["", "u:", "user", "user:"] {
      let text = Data((prefix + "correct horse battery" + "suffix").utf8).base64EncodedString()
      let left = mask.mask(text).replacingOccurrences(of: "***", with: "")
      #expect(left.count <= text.count - 26, "\(left)")
    }
  }

  @Test(arguments: ["\n", "\r\n", "\\n", "\\r\\n"], [60, 64, 76])
  func `base64 that is cut into lines shows nothing of the secret`(_ end: String, _ width: Int) {
    let secret = "correct horse battery staple 4711"
    let mask = SecretMask(["T": secret])
    for before in stride(from: 0, to: 70, by: 7) {
      let text = Data((String(repeating: "x", count: before) + secret + String(repeating: "y", count: 60)).utf8)
        .base64EncodedString()
      let lines = stride(from: 0, to: text.count, by: width).map { String(text.dropFirst($0).prefix(width)) }
      let masked = mask.mask(lines.joined(separator: end))
      let left = masked.replacingOccurrences(of: end, with: "").replacingOccurrences(of: "***", with: "")
      #expect(masked.contains("***") && text.count - left.count >= 42, "\(before): \(masked)")
    }
  }

  @Test func `lines of a secret are hidden one by one`() {
    let mask = SecretMask(["KEY": "-----BEGIN-----\nMIIEabcdef\nab\n-----END-----\n"])
    #expect(mask.mask("got MIIEabcdef and ab") == "got *** and ab")
    #expect(mask.mask("-----BEGIN-----\nMIIEabcdef\nab\n-----END-----") == "***")
  }

  @Test func `short secrets are named and not masked`() {
    let mask = SecretMask(["B": "abc", "A": "x", "LONG": "abcd", "EMPTY": ""])
    #expect(mask.unmasked == ["A", "B"])
    #expect(mask.mask("x abc abcd abcde") == "x abc *** ***e")
  }

  @Test func `the longest secret is hidden where one begins with another`() {
    let mask = SecretMask(["A": "token", "B": "token-with-more"])
    #expect(mask.mask("token-with-more token-with") == "*** ***-with")
  }

  @Test func `the beginning of a secret is hidden where a message was cut, and any longer piece of it anywhere`() {
    let mask = SecretMask(["T": "correct horse battery staple, 27 times"])
    #expect(mask.mask("found 'corr…'") == "found '***…'")
    #expect(mask.mask("found 'corr'") == "found 'corr'")
    #expect(mask.mask("found 'correct hors'") == "found '***'")
    #expect(mask.mask("…horse battery staple") == "…***")
    #expect(mask.mask("horse battery") == "horse battery")
    #expect(SecretMask(["T": "Grüße-ключ"]).mask("Grüße-к\u{FFFD}…") == "***\u{FFFD}…")
  }

  @Test func `letters of a host in lower case are still the secret's`() {
    let mask = SecretMask(["T": "S3cr3tToken"])
    #expect(mask.mask("http://s3cr3ttoken.example") == "http://***.example")
    #expect(SecretMask(["T": "ABcd"]).mask("abcd") == "abcd")
  }

  @Test func `other text stays as it is`() {
    #expect(SecretMask().mask("anything") == "anything")
    #expect(SecretMask(["A": "needle"]).mask("needl Needle ne edle é🙂\u{1B}") == "needl Needle ne edle é🙂\u{1B}")
  }
}
