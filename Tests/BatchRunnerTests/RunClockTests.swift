import BatchRunner
import ReactorCore
import Testing

@Suite struct RunClockTests {
  @Test func `a run measures what the system's clock does`() {
    let clock = RunClock.continuous
    let before = ContinuousClock.now
    let first = clock.stopwatch.reading()
    let start = ContinuousClock.now
    while start.duration(to: .now) < .milliseconds(2) {}
    let measured = clock.stopwatch.reading() - first
    let passed = before.duration(to: .now)
    #expect(measured >= .milliseconds(2) - .microseconds(1))
    #expect(measured <= passed + .microseconds(1))
  }

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
