import Testing

@testable import HTTPTransport

@Suite struct HeaderSyntaxTests {
  @Test(arguments: 0...255 as ClosedRange<UInt8>)
  func `a control byte is found wherever it stands`(_ byte: UInt8) {
    let isControl = byte < 0x20 && byte != 0x09 || byte == 0x7f
    for count in [1, 7, 16, 33] {
      for place in 0..<count {
        var line = [UInt8](repeating: 0x61, count: count)
        line[place] = byte
        #expect(line.withUnsafeBytes { HeaderSyntax.hasControlByte($0) } == isControl)
      }
    }
    #expect(!HeaderSyntax.hasControlByte(UnsafeRawBufferPointer(start: nil, count: 0)))
  }
}
