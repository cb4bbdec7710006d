import SourceDiagnostics
import TestSupport
import Testing

@Suite struct MarkedTextTests {
  @Test func `markers are removed and their positions remembered`() {
    let marked: MarkedText = "é1️⃣b2️⃣ 1 3️⃣"
    #expect(marked.text == "éb 1 ")
    #expect(marked[1] == 2)
    #expect(marked.offsets(1, 2) == 2..<3)
    #expect(marked[3] == 6)
    #expect(marked[4] == -1)
    #expect(marked.file("p").path == "p")
  }
}
