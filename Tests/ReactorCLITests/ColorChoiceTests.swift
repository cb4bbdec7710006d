import ReactorCLI
import Testing

@Suite struct ColorChoiceTests {
  @Test(
    arguments: [
      (.auto, true, [:], true), (.auto, false, [:], false), (.auto, true, ["TERM": "dumb"], false),
      (.auto, true, ["NO_COLOR": "1"], false), (.auto, true, ["NO_COLOR": ""], true),
      (.auto, false, ["FORCE_COLOR": "1"], true), (.auto, false, ["CLICOLOR_FORCE": "1"], true),
      (.auto, true, ["FORCE_COLOR": "0"], false), (.auto, false, ["NO_COLOR": "1", "FORCE_COLOR": "1"], false),
      (.auto, false, ["TERM": "dumb", "FORCE_COLOR": "1"], true), (.always, false, ["NO_COLOR": "1"], true),
      (.never, true, ["FORCE_COLOR": "1"], false),
    ] as [(ColorChoice, Bool, [String: String], Bool)])
  func `the flag goes before NO_COLOR before FORCE_COLOR before the terminal`(
    choice: ColorChoice, isTerminal: Bool, environment: [String: String], expected: Bool
  ) {
    #expect(choice.colors(isTerminal: isTerminal, environment: environment) == expected)
  }
}
