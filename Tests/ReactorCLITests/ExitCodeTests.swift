import ReactorCLI
import Testing

@Suite struct ExitCodeTests {
  @Test(
    arguments: [
      ([], 0), ([.passed], 0), ([.policy, .passed], 6), ([.failed, .policy], 1), ([.notJudged, .failed], 5),
      ([.configuration, .notJudged, .failed], 3), ([.interrupted, .configuration], 130),
      ([.terminated, .notJudged], 143), ([.notWritten, .interrupted, .configuration], 74),
      ([.internalError, .notWritten, .interrupted, .failed], 70), ([.passed, .nothingSelected], 4),
    ] as [([ExitCode], Int32)])
  func `the worst code hides the others`(codes: [ExitCode], expected: Int32) {
    #expect(ExitCode.worst(of: codes).rawValue == expected)
    #expect(ExitCode.worst(of: codes.reversed()).rawValue == expected)
  }

  @Test func `every code is one of the documented numbers`() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 70, 74, 130, 143])
    for code in ExitCode.allCases { #expect(ExitCode.worst(of: [code]) == code) }
  }
}
