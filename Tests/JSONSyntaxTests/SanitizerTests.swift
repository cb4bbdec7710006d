import Dispatch
import Foundation
import JSONSyntax
import TestSupport
import Testing

/// That the sanitizers see what they are trusted with: `scripts/sanitize address|thread --planted` must give a report.
@Suite(.enabled(if: Sanitizer.isOn, "there is something to see under a sanitizer only")) struct SanitizerTests {
  @Test func `tokens are read while their window is there`() throws {
    let indexer = JSONIndexer()
    var window: ByteBuffer? = ByteBuffer(capacity: 64)
    window?.append(#""text""#)
    let tokens = try indexer.index(#require(window))
    // Planted: the window is given back before.
    if Plant.isSet("t18-address") { window = nil }
    #expect(try tokens.string(0).length == 4)
    withExtendedLifetime((indexer, window)) {}
  }

  @Test func `what two threads count is counted by one at a time`() {
    // A mutex of the system's threads, which ThreadSanitizer knows; a Mutex it would not see.
    let turns = NSLock()
    let count = Count()
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      for _ in 0..<1000 {
        // Planted: nobody waits for a turn.
        if !Plant.isSet("t18-thread") { turns.lock() }
        count.value += 1
        if !Plant.isSet("t18-thread") { turns.unlock() }
      }
    }
    #expect(count.value > 0)
  }

  private final class Count: Sendable {
    nonisolated(unsafe) var value = 0
  }
}
