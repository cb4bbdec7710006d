import BatchRunner
import ReactorCore
import Testing

@Suite struct RunClockTests {
  @Test func `a run measures in whole microseconds, as its log does`() {
    let clock = RunClock.continuous
    var last = Duration.zero
    for _ in 0..<1_000 {
      let reading = clock.stopwatch.reading()
      #expect(reading.components.attoseconds % 1_000_000_000_000 == 0)
      #expect(reading >= last)
      last = reading
    }
    #expect(last > .zero)
  }
}
