import ReactorCLI
import RunViews
import Testing

@Suite struct ColorTests {
  @Test(
    arguments: [
      (true, [:], true), (false, [:], false), (true, ["TERM": "dumb"], false),
      (true, ["NO_COLOR": "1"], false), (true, ["NO_COLOR": ""], true),
      (false, ["FORCE_COLOR": "1"], true), (false, ["CLICOLOR_FORCE": "1"], true),
      (true, ["FORCE_COLOR": "0"], false), (false, ["NO_COLOR": "1", "FORCE_COLOR": "1"], false),
      (false, ["TERM": "dumb", "FORCE_COLOR": "1"], true),
    ] as [(Bool, [String: String], Bool)])
  func `NO_COLOR goes before FORCE_COLOR before the terminal`(
    isTerminal: Bool, environment: [String: String], expected: Bool
  ) {
    #expect(TextStyle.isColored(isTerminal: isTerminal, environment: environment) == expected)
  }
}
