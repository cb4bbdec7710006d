public import JSONSyntax
internal import SourceDiagnostics

/// Describes a path that a response does not have, and suggests another.
public struct MissingPath: Sendable {
  /// A description of the members at the point where the path fails: `$.result has the members rows, total`.
  public let words: String
  /// A similar path that may be intended; nil when there is none.
  public let suggestion: String?

  /// The maximum number of members that the description names.
  private static let namesShown = 12

  /// Follows a path to the first step that the response does not have.
  ///
  /// - Parameters:
  ///   - steps: the path
  ///   - root: the response
  ///   - isList: whether the path must lead to an array; then the only array next to the missing member is suggested
  public init(_ steps: [JSONPath.Step], in root: JSONValue, isList: Bool = false) {
    var value = root
    var walked: [JSONPath.Step] = []
    for step in steps {
      guard case .name(let name) = step, let next = value[name] else { break }
      value = next
      walked.append(step)
    }
    let location = JSONPath(singular: walked).text
    guard case .object(let object) = value else {
      words = "\(location) is \(["array", "object"].contains(value.kindName) ? "an" : "a") \(value.kindName)"
      suggestion = nil
      return
    }
    let names = object.members.map(\.name)
    words = "\(location) has " + (names.isEmpty ? "no members" : "the members \(Self.list(names))")
    guard walked.count < steps.count, case .name(let missing) = steps[walked.count] else {
      suggestion = nil
      return
    }
    var rest = steps[(walked.count + 1)...]
    var nearest = NearMiss.suggestion(for: missing, in: names)
    if nearest == nil, isList {
      let lists = object.members.filter { if case .array = $0.value { true } else { false } }
      if lists.count == 1 {
        nearest = lists[0].name
        rest = []
      }
    }
    suggestion = nearest.map { JSONPath(singular: walked + [.name($0)] + rest).text }
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(namesShown).joined(separator: ", ")
    return names.count > namesShown ? "\(shown), …" : shown
  }
}
