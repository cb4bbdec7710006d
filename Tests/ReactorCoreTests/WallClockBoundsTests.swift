import ReactorCore
import Testing

/// A clock of a machine may say anything.
@Suite struct WallClockBoundsTests {
  @Test(arguments: [
    Int64.min, -62_167_219_201, -62_167_219_200, -1, 0, 253_370_764_799, 253_402_300_800, 9_223_372_036_854_775, .max,
  ])
  func `its time has a date and a number of milliseconds`(_ seconds: Int64) {
    let clock = WallClock { .seconds(seconds) }
    let expected = min(max(seconds, -62_167_219_200), 253_370_764_799)
    #expect(clock.sinceEpoch() == .seconds(expected))
    #expect(clock.milliseconds == expected * 1000)
    for written in [Int64.min, -1, 0, 1, .max] { _ = clock.milliseconds(since: written) }
  }

  @Test func `an age without a number is as large as it can be`() {
    let clock = WallClock { .seconds(1) }
    #expect(clock.milliseconds(since: .min) == .max)
    #expect(clock.milliseconds(since: 0) == 1000)
    #expect(WallClock { .seconds(-10) }.milliseconds(since: .max) == .min)
  }
}
