import Testing

@testable import YAMLSyntax

/// Reading ahead changes nothing that is read.
@Suite struct EventFeedTests {
  /// Every kind of event and text, on both sides of a batch's end.
  static let texts = [
    "", "a: 1\n", "a: &x [1, 'two', \"thr\\u00e9e\"]\nb: *x\nc: !!str 4\nd: |\n  lines\n  more\ne: >-\n  folded\n",
    "%TAG !e! tag:e,2000:\n---\n- !e!thing x\n...\n---\nsecond\n",
    (0..<2000).map { "key\($0): [a, { b: \($0) }, \"\u{FC}\"]\n" }.joined(),
    (0..<2000).map { "key\($0): value\n" }.joined() + "  bad: [\n",
    String(repeating: "[", count: 3000),
  ]

  static func events(_ text: String, isAhead: Bool) -> [String] {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { bytes in
      let index = ScalarIndex(bytes, base: 0, isASCII: bytes.allSatisfy { $0 < 0x80 })
      let feed = EventFeed(bytes, index: index, leastAhead: isAhead ? 0 : Int.max)
      defer { feed.end() }
      var seen: [String] = []
      var batch = EventBatch()
      repeat {
        batch = feed.next(reusing: batch)
        for place in 0..<batch.count { seen.append("\(batch[place])") }
        if let failure = batch.failure { seen.append("\(failure)") }
      } while !batch.isLast
      return seen
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: texts.indices)
  func `a text read ahead gives the same events and the same failure`(_ place: Int) {
    let expected = Self.events(Self.texts[place], isAhead: false)
    #expect(expected.count > 1)
    #expect(Self.events(Self.texts[place], isAhead: true) == expected)
  }

  @Test(.timeLimit(.minutes(1)), arguments: [0, 1, 2, 5])
  func `a reading can be ended after any batch`(_ wanted: Int) {
    let bytes = Array(Self.texts[4].utf8)
    bytes.withUnsafeBufferPointer { bytes in
      let feed = EventFeed(bytes, index: ScalarIndex(bytes, base: 0, isASCII: false), leastAhead: 0)
      var batch = EventBatch()
      for _ in 0..<wanted { batch = feed.next(reusing: batch) }
      // Returns once the other thread lets go of the bytes.
      feed.end()
      #expect(batch.count == (wanted == 0 ? 0 : EventBatch.most))
    }
  }
}
