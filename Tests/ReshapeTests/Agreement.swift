import JSONSyntax
import Reshape
import TestSupport

/// What a program gives: values, or a failure.
enum Outcome: CustomStringConvertible {
  case values([JSONValue])
  case failure

  var description: String {
    switch self {
    case .values(let values): "[" + values.map(\.description).joined(separator: " ") + "]"
    case .failure: "a failure"
    }
  }

  /// Numbers as doubles, since jq has no others.
  func isSame(as other: Outcome) -> Bool {
    switch (self, other) {
    case (.failure, .failure): true
    case (.values(let left), .values(let right)):
      left.count == right.count && zip(left, right).allSatisfy { Self.same($0, $1) }
    default: false
    }
  }

  private static func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.number(let one), .number(let other)): one.double == other.double
    case (.array(let one), .array(let other)): one.count == other.count && zip(one, other).allSatisfy { same($0, $1) }
    case (.object(let one), .object(let other)):
      one.members.count == other.members.count
        && one.members.allSatisfy { member in other[member.name].map { same(member.value, $0) } ?? false }
    default: left.isEquivalent(to: right)
    }
  }

  /// What the subset gives.
  static func ours(_ program: String, _ input: String) throws -> Outcome {
    let value = try JSONValue(parsing: input)
    guard let reshape = try? Reshape(parsing: program), let results = try? reshape.results(for: value) else {
      return .failure
    }
    return .values(results)
  }
}
