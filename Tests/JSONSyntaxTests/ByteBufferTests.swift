import JSONSyntax
import Testing

@Suite struct ByteBufferTests {
  @Test(arguments: [0, 1, 15, 16, 17, 31, 32, 48, 63, 64, 65, 200])
  func `bytes that are copied with their padding are those that were meant`(length: Int) {
    let source = ByteBuffer(capacity: 256)
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 + 1) }
    source.append(bytes)
    source.seal()
    let out = ByteBuffer(capacity: 64)
    out.append("before")
    out.reserve(length)
    out.appendPadded(source.base, length)
    out.append("after")
    #expect(out.copy() == Array("before".utf8) + bytes + Array("after".utf8))
  }
}
