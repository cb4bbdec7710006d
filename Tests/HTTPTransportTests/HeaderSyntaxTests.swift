import Testing

@testable import HTTPTransport

@Suite struct HeaderSyntaxTests {
  @Test(arguments: 0...255 as ClosedRange<UInt8>)
  func `a value may hold no control byte except the tab`(_ byte: UInt8) {
    let isControl = byte < 0x20 && byte != 0x09 || byte == 0x7f
    for index in 0..<3 {
      var value = [UInt8](repeating: 0x61, count: 3)
      value[index] = byte
      #expect(HeaderSyntax.isValue(value) != isControl)
    }
    #expect(HeaderSyntax.isValue([]))
  }
}
