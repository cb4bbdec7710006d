package import JSONSyntax

/// One location at which two JSON values differ.
package struct JSONDifference: Sendable, Hashable {
  /// The location as a normalized path, such as `$.items[2].price`.
  package var path: String
  /// The same location as a list of steps.
  package var steps: [JSONPath.Step]
  /// The expected value; nil when no value is expected.
  package var expected: JSONValue?
  /// The actual value; nil when there is none.
  package var actual: JSONValue?

  /// Returns all differences, in the order of the values.
  ///
  /// Numbers are equal only when their notations are equal: `1` and `1.0` differ.
  package static func between(_ expected: JSONValue, _ actual: JSONValue) -> [JSONDifference] {
    var differences: [JSONDifference] = []
    collect(expected, actual, [], &differences)
    return differences
  }

  private static func collect(
    _ expected: JSONValue, _ actual: JSONValue, _ steps: [JSONPath.Step], _ found: inout [JSONDifference]
  ) {
    switch (expected, actual) {
    case (.object(let old), .object(let new)):
      for member in old.members {
        if let value = new[member.name] {
          collect(member.value, value, steps + [.name(member.name)], &found)
        } else {
          found.append(.init(steps + [.name(member.name)], member.value, nil))
        }
      }
      for member in new.members where old[member.name] == nil {
        found.append(.init(steps + [.name(member.name)], nil, member.value))
      }
    case (.array(let old), .array(let new)):
      for index in 0..<max(old.count, new.count) {
        if index >= new.count {
          found.append(.init(steps + [.index(index)], old[index], nil))
        } else if index >= old.count {
          found.append(.init(steps + [.index(index)], nil, new[index]))
        } else {
          collect(old[index], new[index], steps + [.index(index)], &found)
        }
      }
    default:
      if !isSame(expected, actual) { found.append(.init(steps, expected, actual)) }
    }
  }

  /// Whether two values are equal. Texts are compared by Unicode scalars, so texts that only look alike differ.
  private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.number(let one), .number(let other)): one.text == other.text
    case (.string(let one), .string(let other)): one.unicodeScalars.elementsEqual(other.unicodeScalars)
    default: left == right
    }
  }

  init(_ steps: [JSONPath.Step], _ expected: JSONValue?, _ actual: JSONValue?) {
    self.steps = steps
    path = JSONPath(singular: steps).text
    self.expected = expected
    self.actual = actual
  }

  /// Returns a value for messages: JSON, cut off when it is long.
  package static func shown(_ value: JSONValue) -> String {
    let text = String(decoding: JSONWriter.bytes(value), as: UTF8.self)
    return text.count <= 120 ? text : "\(text.prefix(120))… (\(text.count) characters)"
  }
}
