import ByteCodings
import Foundation
import JSONSyntax
import ReactorCore
import TestSupport
import Testing

@testable import Authorization

@Suite(.timeLimit(.minutes(1))) struct JSONWebTokenTests {
  private static let payload =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

  private static func signed(_ header: String, _ key: SigningKey) throws -> String {
    let bytes = try #require(Base64.decode(Array(payload.utf8), allowing: .urlSafe))
    return try JSONWebToken.signed(Array(header.utf8), bytes, with: key)
  }

  /// RFC 7515, appendix A.1.
  @Test func `the published example with HMAC`() throws {
    let key = try #require(
      Base64.decode(
        Array("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow".utf8),
        allowing: .urlSafe))
    #expect(
      try Self.signed("{\"typ\":\"JWT\",\r\n \"alg\":\"HS256\"}", SigningKey(.hs256, shared: key))
        == "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(Self.payload).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
  }

  /// RFC 7515, appendix A.2.
  @Test(arguments: [PublishedKeys.rsa, PublishedKeys.rsa.replacing("\n", with: "\\n"), "\n\(PublishedKeys.rsa)\n\n"])
  func `the published example with RSA, with every form of line ends`(_ pem: String) throws {
    let signature =
      "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9"
      + "uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB"
      + "_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rq"
      + "Vt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
    #expect(
      try Self.signed(#"{"alg":"RS256"}"#, SigningKey(.rs256, pem: pem))
        == "eyJhbGciOiJSUzI1NiJ9.\(Self.payload).\(signature)")
  }

  @Test func `header and claims are in the order of the declaration, with times of the clock`() throws {
    var token = JSONWebToken(
      key: SigningKey(.hs256, shared: [1]),
      claims: JSONObject([.init(name: "iss", value: "me"), .init(name: "aud", value: ["a", "b"])]),
      lifetime: .seconds(300))
    token.header = JSONObject([.init(name: "kid", value: "k1")])
    token.hasIdentifier = true
    let parts = try token.signed(at: .milliseconds(1_700_000_000_999)).split(separator: ".")
    func text(_ part: Substring) throws -> String {
      String(decoding: try #require(Base64.decode(Array(part.utf8), allowing: .urlSafe)), as: UTF8.self)
    }
    #expect(parts.count == 3 && !parts.joined().contains("="))
    #expect(try text(parts[0]) == #"{"alg":"HS256","typ":"JWT","kid":"k1"}"#)
    let claims = try text(parts[1])
    #expect(claims.hasPrefix(#"{"iss":"me","aud":["a","b"],"iat":1700000000,"exp":1700000300,"jti":""#), "\(claims)")
    #expect(try token.signed(at: .zero).split(separator: ".")[1] != token.signed(at: .zero).split(separator: ".")[1])
  }

  /// The signatures of all algorithms with private keys, judged by the program `openssl`.
  @Test(arguments: SigningAlgorithm.allCases.filter { !$0.isShared })
  func `another implementation takes the signature`(_ algorithm: SigningAlgorithm) async throws {
    guard let openssl = Self.openssl else { return print("skipped: signatures judged by openssl, which is not there") }
    let workspace = try Workspace()
    let kind =
      switch algorithm {
      case .es256: ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
      case .es384: ["EC", "-pkeyopt", "ec_paramgen_curve:P-384"]
      case .es512: ["EC", "-pkeyopt", "ec_paramgen_curve:P-521"]
      default: ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
      }
    func run(_ arguments: [String]) async throws -> Program.Outcome {
      try await Program(openssl, arguments, in: workspace.folder).end()
    }
    #expect(try await run(["genpkey", "-algorithm"] + kind + ["-out", "key.pem"]).status == 0)
    #expect(try await run(["pkey", "-in", "key.pem", "-pubout", "-out", "public.pem"]).status == 0)
    let key = try SigningKey(algorithm, pem: try #require(workspace.text("key.pem")))
    // ECDSA draws a number for each signature; about each 128th has a short one.
    for round in 0..<(kind[0] == "EC" ? 40 : 1) {
      let message = Array("message \(round)".utf8)
      var signature = try key.signature(of: message)
      if kind[0] == "EC" {
        #expect(signature.count == (algorithm == .es512 ? 132 : algorithm.bits / 4))
        signature = Self.der(signature)
      }
      try Data(message).write(to: workspace.folder.appendingPathComponent("message"))
      try Data(signature).write(to: workspace.folder.appendingPathComponent("signature"))
      let outcome = try await run(
        ["dgst", "-sha\(algorithm.bits)", "-verify", "public.pem", "-signature", "signature", "message"])
      #expect(outcome.status == 0 && outcome.stdout.contains("Verified OK"), "\(outcome.stdout)\(outcome.stderr)")
    }
  }

  private static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private static func der(_ raw: [UInt8]) -> [UInt8] {
    let numbers = [raw.prefix(raw.count / 2), raw.suffix(raw.count / 2)].flatMap { half -> [UInt8] in
      var number = Array(half.drop { $0 == 0 })
      if number.first.map({ $0 >= 0x80 }) ?? true { number.insert(0, at: 0) }
      return [0x02, UInt8(number.count)] + number
    }
    return [0x30] + (numbers.count < 0x80 ? [] : [0x81]) + [UInt8(numbers.count)] + numbers
  }

  @Test func `numbers of a DER signature are filled up, and other bytes refused`() {
    #expect(SigningKey.numbers(inDER: [0x30, 7, 2, 2, 0, 0x80, 2, 1, 5], length: 2) == [0, 0x80, 0, 5])
    let damaged: [[UInt8]] = [
      [], [0x30], [0x30, 0x81], [0x30, 0x81, 7, 2, 2, 0, 0x80, 2, 1, 5], [0x30, 0x82, 0, 7, 2, 2, 0, 0x80, 2, 1, 5],
      [0x30, 6], [0x30, 7, 2, 2, 0, 0x80, 2, 1], [0x31, 6, 2, 1, 1, 2, 1, 5],
      [0x30, 6, 2, 3, 1, 1, 1, 2, 1],
      [0x30, 6, 2, 1, 1, 2, 1, 5, 0], [0x30, 3, 2, 1, 1], [0x30, 0x81, 6, 2, 1, 1, 2, 1, 5],
      [0x30, 9, 2, 1, 1, 2, 1, 1, 2, 1, 1],
    ]
    for bytes in damaged { #expect(SigningKey.numbers(inDER: bytes, length: 2) == nil, "\(bytes)") }
  }

  @Test func `a key that does not fit is refused with its kind, and never shown`() async throws {
    func message(_ algorithm: SigningAlgorithm, _ pem: String) -> String {
      do throws(SigningKey.KeyError) {
        _ = try SigningKey(algorithm, pem: pem)
        return ""
      } catch {
        #expect(!pem.split(separator: "\n").contains { $0.count > 20 && error.message.contains($0) })
        return error.message
      }
    }
    #expect(message(.es256, PublishedKeys.rsa) == "the key is an RSA key, and ES256 needs an EC key of the curve P-256")
    #expect(
      message(.rs256, PublishedKeys.p256) == "the key is an EC key of the curve P-256, and RS256 needs an RSA key")
    #expect(message(.es384, PublishedKeys.p256InSEC1).hasSuffix("ES384 needs an EC key of the curve P-384"))
    #expect(message(.es256, PublishedKeys.p256InSEC1) == "")
    #expect(message(.rs256, "hunter2") == "the key is not a private key in PEM")
    #expect(message(.rs256, "") == "the key is not a private key in PEM")
    #expect(message(.rs256, String(PublishedKeys.rsa.dropLast(200))) == "the key is not a private key in PEM")
    #expect(message(.rs256, PublishedKeys.rsa.replacing("A", with: "B")) == "the key is not a private key in PEM")
    #expect(message(.rs256, "-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----") == "the key is a public key")
    #expect(
      message(.rs256, "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----") == "the key is a certificate")
    guard let openssl = Self.openssl else { return print("skipped: signatures judged by openssl, which is not there") }
    let workspace = try Workspace()
    func make(_ arguments: String...) async throws -> String {
      _ = try await Program(openssl, arguments, in: workspace.folder).end()
      return try #require(workspace.text("key.pem"))
    }
    let small = try await make("genrsa", "-out", "key.pem", "1024")
    #expect(message(.rs256, small).hasPrefix("the RSA key has 1024 bits"))
    let other = try await make("ecparam", "-name", "secp256k1", "-genkey", "-noout", "-out", "key.pem")
    #expect(message(.es256, other).hasPrefix("the key is an EC key of another curve"))
    let edwards = try await make("genpkey", "-algorithm", "ed25519", "-out", "key.pem")
    #expect(message(.es256, edwards).hasPrefix("the key is neither an RSA nor an EC key"))
    let locked = try await make("genrsa", "-aes128", "-passout", "pass:hunter2", "-out", "key.pem", "2048")
    #expect(message(.rs256, locked) == "the key is encrypted with a password")
  }

  @Test func `a key is not shown by printing it`() {
    let key = SigningKey(.hs256, shared: Array("hunter2".utf8))
    #expect("\(key) \(String(reflecting: key))" == "key for HS256 key for HS256")
    var dumped = ""
    dump(key, to: &dumped)
    #expect(!dumped.contains("104") && !dumped.contains("shared"), "\(dumped)")
  }
}
