import ByteCodings
import CSigning
import Storage
import Testing

@testable import SharedState

/// AES-256-GCM and the form of sealed documents.
@Suite struct DocumentSealTests {
  /// A test case of "The Galois/Counter Mode of Operation" (McGrew and Viega, 2005; submitted to NIST), appendix B.
  struct Vector: Sendable {
    let number: Int
    var key = String(repeating: "00", count: 32)
    var nonce = String(repeating: "00", count: 12)
    var text = ""
    var additional = ""
    var sealed = ""
    let tag: String
  }

  private static let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
  private static let text =
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657"
    + "ba637b391aafd255"
  private static let sealed =
    "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0a"
    + "bcc9f662898015ad"

  static let vectors = [
    Vector(number: 13, tag: "530f8afbc74536b9a963b4f1c4cb738b"),
    Vector(
      number: 14, text: String(repeating: "00", count: 16), sealed: "cea7403d4d606b6e074ec5d3baf39d18",
      tag: "d0d1c8a799996bf0265b98b5d48ab919"),
    Vector(
      number: 15, key: key, nonce: "cafebabefacedbaddecaf888", text: text, sealed: sealed,
      tag: "b094dac5d93471bdec1a502270e3cc6c"),
    Vector(
      number: 16, key: key, nonce: "cafebabefacedbaddecaf888", text: String(text.dropLast(8)),
      additional: "feedfacedeadbeeffeedfacedeadbeefabaddad2", sealed: String(sealed.dropLast(8)),
      tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
  ]

  private static func bytes(_ hex: String) -> [UInt8] { Hex.bytes(hex.utf8) ?? [] }

  @Test(arguments: vectors) func `the cipher has the published results`(_ vector: Vector) {
    let (key, nonce) = (Self.bytes(vector.key), Self.bytes(vector.nonce))
    let (text, additional) = (Self.bytes(vector.text), Self.bytes(vector.additional))
    var sealed = [UInt8](repeating: 0, count: text.count + 16)
    #expect(csigning_seal(key, nonce, additional, additional.count, text, text.count, &sealed) == 0)
    #expect(Hex.text(sealed) == vector.sealed + vector.tag)
    var opened = [UInt8](repeating: 0xFF, count: text.count + 1)
    #expect(csigning_open(key, nonce, additional, additional.count, sealed, text.count, &opened) == 0)
    #expect(opened == text + [0xFF])
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      let error = csigning_open(key, nonce, additional, additional.count, changed, text.count, &opened)
      #expect(error == Int32(csigning_not_opened) && opened == [UInt8](repeating: 0, count: text.count) + [0xFF])
    }
  }

  // MARK: - Documents

  private static let own = SealingKey(parsing: String(repeating: "5a", count: 32))
  private static let document = StateDocument(.tokens, "host-1")

  @Test func `a sealed document can be opened with its key, and any change is noticed`() throws {
    let text = Array("refresh-token".utf8)
    let sealed = try DocumentSeal.seal(text, of: Self.document, with: Self.own)
    #expect(try DocumentSeal.open(sealed, of: Self.document, with: Self.own) == text)
    #expect(try DocumentSeal.seal(text, of: Self.document, with: Self.own) != sealed)
    #expect(sealed.count == 1 + 4 + 12 + text.count + 16)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 4
      let error = #expect(throws: SealError.self) {
        try DocumentSeal.open(changed, of: Self.document, with: Self.own)
      }
      let isMark = (1...4).contains(index)
      #expect(error == (isMark ? .otherKey(Self.document) : .damaged(Self.document)), "\(index)")
    }
    for count in 0..<sealed.count {
      #expect(throws: SealError.self) {
        try DocumentSeal.open(Array(sealed.prefix(count)), of: Self.document, with: Self.own)
      }
    }
    for other in [StateDocument(.tokens, "host-2"), StateDocument(.jobs, "host-1")] {
      #expect(throws: SealError.damaged(other)) { try DocumentSeal.open(sealed, of: other, with: Self.own) }
    }
  }

  @Test func `a token that was not sealed is refused, and a job is not`() throws {
    let job = StateDocument(.jobs, "a")
    let stored = try DocumentSeal.seal([7], of: job, with: nil)
    #expect(stored == [0, 7])
    #expect(try DocumentSeal.open(stored, of: job, with: Self.own) == [7])
    #expect(throws: SealError.damaged(Self.document)) {
      try DocumentSeal.open(stored, of: Self.document, with: Self.own)
    }
    #expect(throws: SealError.noKey) { try DocumentSeal.seal([7], of: Self.document, with: nil) }
  }

  @Test func `a key is 32 bytes, in base64 or in hexadecimal digits`() throws {
    let bytes = (0..<32).map { UInt8($0 * 7) }
    for text in [Base64.encode(bytes), Hex.text(bytes), Hex.text(bytes).uppercased(), " \(Base64.encode(bytes))\n"] {
      #expect(SealingKey(parsing: text)?.bytes == bytes, "\(text)")
    }
    let wrong = ["", "secret", Hex.text(bytes.dropLast()), Base64.encode(bytes + [0]), Hex.text(bytes) + "00"]
    for text in wrong { #expect(SealingKey(parsing: text) == nil, "\(text)") }
    #expect(SealingKey(parsing: Hex.text(bytes))?.texts == [Base64.encode(bytes), Hex.text(bytes)])
  }
}
