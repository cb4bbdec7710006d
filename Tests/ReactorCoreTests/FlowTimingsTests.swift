import Testing

@testable import ReactorCore

@Suite struct FlowTimingsTests {
  private let durations: [Duration] = [
    .zero, .nanoseconds(1), .seconds(3) + .nanoseconds(7), .nanoseconds(-5), .seconds(1 << 33),
  ]

  @Test(arguments: FlowStep.allCases)
  func `a step's duration is kept, and none is none`(step: FlowStep) {
    var timings = FlowTimings()
    #expect(FlowStep.allCases.allSatisfy { timings[$0] == nil })
    for duration in durations {
      timings[step] = duration
      #expect(timings[step] == duration)
      #expect(timings.total == duration)
      #expect(FlowStep.allCases.filter { timings[$0] != nil } == [step])
    }
    timings[step] = nil
    #expect(timings == FlowTimings())
  }
}
