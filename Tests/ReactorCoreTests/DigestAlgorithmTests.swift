import ByteCodings
import Testing

@Suite struct DigestAlgorithmTests {
  /// The examples of RFC 1321 (A.5), RFC 3174 (7.3) and RFC 6234 (8.5).
  static let known: [(DigestAlgorithm, String, Int, String)] = [
    (.md5, "", 1, "d41d8cd98f00b204e9800998ecf8427e"),
    (.md5, "a", 1, "0cc175b9c0f1b6a831c399e269772661"),
    (.md5, "abc", 1, "900150983cd24fb0d6963f7d28e17f72"),
    (.md5, "message digest", 1, "f96b697d7cb7938d525a2f31aaf161d0"),
    (.md5, "abcdefghijklmnopqrstuvwxyz", 1, "c3fcd3d76192e4007dfb496cca67e13b"),
    (.md5, "1234567890", 8, "57edf4a22be3c955ac49da2e2107b67a"),
    (.sha1, "abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (
      .sha1, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
    ),
    (.sha1, "a", 1_000_000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
    (
      .sha1, "0123456701234567012345670123456701234567012345670123456701234567", 10,
      "dea356a2cddd90c7a7ecedc5ebb563934f460452"
    ),
    (
      .sha384, "abc", 1,
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
    ),
    (
      .sha512, "abc", 1,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (
      .sha512,
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      1,
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
    ),
  ]

  @Test(arguments: known.indices) func `known digests`(index: Int) {
    let (algorithm, text, count, digest) = Self.known[index]
    #expect(Hex.text(algorithm.digest(of: Array(String(repeating: text, count: count).utf8))) == digest)
  }

  /// The length around a block decides about the padding: digests of all lengths of `a`, digested again.
  @Test(arguments: [
    (DigestAlgorithm.md5, "4a0125a7ff7488a489fe225c37fc99fc"),
    (DigestAlgorithm.sha1, "59fd9a7a8ec7eb10d31fe6c625152f122c4e1606"),
    (DigestAlgorithm.sha256, "80e953e3b006c4bab43fd5d792f8bd29c122f6cf1497318365fe66bf2d61398d"),
    (
      DigestAlgorithm.sha384,
      "3e67e819ed3728f536cb6fdeeca3192d03c9330d9f59d3fd761a9da151e9b7cd74090f102bd163b4ac6bf95562bce2d9"
    ),
    (
      DigestAlgorithm.sha512,
      "31c336adab577370612bbdd2a77b25de07ec8389de752295ba890ce160fc80654d34f23f93a5819b359f2a8ef15f3f274cbfa5becc521e5728397d60265ffb21"
    ),
  ]) func `every length`(_ algorithm: DigestAlgorithm, _ digest: String) {
    let all = (0..<300).flatMap { algorithm.digest(of: [UInt8](repeating: UInt8(ascii: "a"), count: $0)) }
    #expect(Hex.text(algorithm.digest(of: all)) == digest)
    #expect(algorithm.digest(of: []).count == algorithm.length)
  }

  /// The examples of RFC 2202 and RFC 4231; the key of the third is longer than a block.
  static let codes: [(DigestAlgorithm, key: [UInt8], message: [UInt8], code: String)] = {
    let jefe = Array("Jefe".utf8)
    let question = Array("what do ya want for nothing?".utf8)
    let longKey = [UInt8](repeating: 0xAA, count: 131)
    let longMessage = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
    return [
      (.md5, jefe, question, "750c783e6ab0b503eaa86e310a5db738"),
      (.md5, longKey, longMessage, "bfecaf4efff90a3a668f3922fec3762d"),
      (.md5, [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8), "5ccec34ea9656392457fa1ac27f08fbc"),
      (.sha1, jefe, question, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
      (.sha1, longKey, longMessage, "90d0dace1c1bdc957339307803160335bde6df2b"),
      (.sha1, [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8), "b617318655057264e28bc0b6fb378c8ef146be00"),
      (.sha256, jefe, question, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
      (.sha256, longKey, longMessage, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
      (
        .sha256, [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        .sha384, jefe, question,
        "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649"
      ),
      (
        .sha384, longKey, longMessage,
        "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952"
      ),
      (
        .sha384, [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
        "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6"
      ),
      (
        .sha512, jefe, question,
        "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
      ),
      (
        .sha512, longKey, longMessage,
        "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
      ),
      (
        .sha512, [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
        "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
      ),
    ]
  }()

  @Test(arguments: codes.indices) func `known authentication codes`(index: Int) {
    let (algorithm, key, message, code) = Self.codes[index]
    #expect(Hex.text(algorithm.authenticationCode(of: message, key: key)) == code)
  }
}
