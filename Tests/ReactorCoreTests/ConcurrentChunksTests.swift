import DetachedThread
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ConcurrentChunksTests {
  @Test(arguments: [0, 1, 7, 8, 9, 100, 1000]) func `results are in order and whole`(_ count: Int) {
    let numbers = Array(0..<count)
    let chunks = numbers.concurrentChunks(minimum: 8) { Array($0) }
    #expect(chunks.flatMap(\.self) == numbers)
    #expect(chunks.count == 1 || count >= 8)
  }

  @Test func `chunks that are cut again take no more threads than there are processors`() {
    let atWork = Gauge()
    let sums = Array(0..<64).concurrentChunks(minimum: 8) { outer in
      outer.map { number in
        Array(0..<16).concurrentChunks(minimum: 8) { inner in
          atWork.enter()
          // Work that lasts long enough for others to begin theirs.
          let work = (0..<50_000).reduce(number) { $0 &* 31 &+ $1 }
          atWork.leave()
          return inner.reduce(0, +) + number * inner.count + (work & 0)
        }.reduce(0, +)
      }
    }
    #expect(sums.flatMap(\.self) == (0..<64).map { 120 + $0 * 16 })
    #expect(atWork.most <= max(1, ProcessInfo.processInfo.processorCount))
  }
}
