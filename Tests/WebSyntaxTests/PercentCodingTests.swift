import ByteCodings
import Testing

@Suite struct PercentCodingTests {
  @Test(arguments: [
    ("", ""), ("aZ09-._~", "aZ09-._~"), (" ", "%20"), ("%20", "%2520"), ("ü/?", "%C3%BC%2F%3F"), ("\0\u{7F}", "%00%7F"),
  ])
  func `a text is encoded but for unreserved characters and decoded again`(_ text: String, _ encoded: String) {
    #expect(PercentCoding.encode(text) == encoded)
    #expect(PercentCoding.decode(encoded) == text)
  }

  @Test(arguments: [
    ("%41%2f%zz%", "A/%zz%", "A%2F%zz%"), ("%7e%7E%20", "~~ ", "~~%20"), ("%4", "%4", "%4"), ("%%41", "%A", "%A"),
  ])
  func `a percent sign that begins no escape stays`(_ text: String, _ decoded: String, _ normalized: String) {
    #expect(PercentCoding.decode(text) == decoded)
    #expect(PercentCoding.normalize(text) == normalized)
  }

  @Test func `escapes that are there are not encoded again`() {
    var bytes: [UInt8] = []
    PercentCoding.append(Array("/%2f %4".utf8)[...], to: &bytes, keepsEscapes: true)
    #expect(String(decoding: bytes, as: UTF8.self) == "%2F%2f%20%254")
  }

  @Test func `hexadecimal digits are written and read`() {
    #expect(Hex.text([0, 9, 10, 255]) == "00090aff")
    #expect(Hex.text(0xFEDC_BA98) == "00000000fedcba98")
    #expect("09afAF".utf8.compactMap(Hex.value) == [0, 9, 10, 15, 10, 15])
    #expect("/:@G`g".utf8.compactMap(Hex.value) == [])
    #expect(Hex.number("00000000feDCba98".utf8) == 0xFEDC_BA98)
    #expect(Hex.number("ffffffffffffffff".utf8) == .max)
    for text in ["", "+1", "1g", "10000000000000000"] { #expect(Hex.number(text.utf8) == nil) }
  }
}
