import JSONSyntax
import Testing

@testable import Expressions

/// Every example of the tables is run, and checked before.
@Suite struct ExampleTests {
  static let examples =
    FunctionTable.functions.flatMap(\.examples)
    + (ReferenceEntry.literals + ReferenceEntry.operators + ReferenceEntry.macros).flatMap(\.examples)

  @Test(arguments: examples) func `every example of the reference gives what it says`(
    example: Function.Example
  ) throws {
    #expect(try Trial.outcome(example.text) == example.result)
  }

  @Test(arguments: examples) func `an example without an error has no fault and is of the type that was found`(
    example: Function.Example
  ) throws {
    let (type, faults) = try Expression(parsing: example.text).check(ExpressionScopeType())
    guard !example.result.hasPrefix("error: ") else { return }
    // Members of literals are known: asking for one that is not there is a fault, and also a response.
    let expected = faults.filter { ![.unknownMember, .mayBeMissing].contains($0.kind) }
    #expect(expected.isEmpty, "\(expected)")
    let value = try Expression(parsing: example.text).evaluate(in: Trial.nothing, now: Trial.now)
    #expect(type.admits(value), "\(type) for \(value)")
  }

  @Test func `every function and operator has an example, and every function is called in both ways`() throws {
    for function in FunctionTable.functions {
      #expect(function.examples.contains { $0.text.contains(function.name + "(") }, "\(function.name)")
      #expect(!function.summary.isEmpty && function.summary.hasSuffix("."), "\(function.name)")
      guard let example = function.examples.first(where: { $0.text.hasPrefix(function.name + "(") }) else { continue }
      guard case .call(var call) = try Expression(parsing: example.text).syntax, !call.arguments.isEmpty,
        function.name != "has"
      else { continue }
      call.isMethod.toggle()
      #expect(try Trial.outcome(SyntaxNode.call(call).text) == example.result, "\(function.name)")
    }
    for sign in BinaryOperator.allCases {
      #expect(
        ReferenceEntry.operators.contains { $0.form.contains("a \(sign.rawValue) b") && $0.examples.count > 1 },
        "\(sign.rawValue)")
    }
  }

  @Test func `the names of functions are unique, and no other name is one of them`() {
    let names = FunctionTable.functions.map(\.name)
    #expect(Set(names).count == names.count)
    for function in FunctionTable.functions {
      for other in function.otherNames { #expect(!names.contains(other), "\(other)") }
    }
  }
}
