import FlowSpec
import SourceDiagnostics
import Testing

/// Conditions on the values of variables.
@Suite(.timeLimit(.minutes(1))) struct VariableConditionTests {
  private static let top = """
    vars:
      size: { type: integer, default: 10, where: value >= 1 && value <= 200, description: records on a page }
      region: { type: string, where: "value in ['eu', 'us']" }
      codes: { type: list, where: "value.all(x, matches(x, '^[A-Z]{2}$'))" }
      url: { value: "https://{{ vars.region }}.example.com", where: "!ends_with(value, 'us.example.com')" }
    """

  private static func problems(_ arguments: [String: String]) throws -> [Diagnostic] {
    let file = try #require(Project(flowFile("resource: /", top: top)).load().files.first)
    var diagnostics = DiagnosticBag()
    var scope = file.scope(
      overrides: VariableOverrides(arguments: arguments), secrets: [:], environment: [:], diagnostics: &diagnostics)
    scope.compute(file.variables, diagnostics: &diagnostics)
    return diagnostics.diagnostics
  }

  @Test(arguments: [
    (["size": "201"], "'201', given by --var size, does not satisfy 'value >= 1 && value <= 200'"),
    (["region": "eu-west"], "'eu-west', given by --var region, does not satisfy 'value in ['eu', 'us']'"),
    (["codes": "DE,fr"], "'DE,fr', given by --var codes, does not satisfy 'value.all(x, matches(x, '^[A-Z]{2}$'))'"),
    (
      ["region": "us"],
      "variable 'url' is 'https://us.example.com', which does not satisfy '!ends_with(value, 'us.example.com')'"
    ),
  ])
  func `a value that a condition excludes is an error`(_ arguments: [String: String], _ message: String) throws {
    #expect(try Self.problems(arguments).map(\.message) == [message])
  }

  @Test(arguments: [[:], ["size": "200", "region": "eu", "codes": "DE,FR"], ["codes": ""]])
  func `other values are used, and a missing one is not checked`(_ arguments: [String: String]) throws {
    #expect(try Self.problems(arguments).isEmpty)
  }

  @Test func `the description is the help, and the note shows the condition`() throws {
    let problem = try #require(Self.problems(["size": "0"]).first)
    #expect(problem.help == "records on a page")
    #expect(problem.notes.first?.range != nil)
    #expect(problem.code == FlowCode.overrideValue.code)
  }
}
