public import JSONSyntax
internal import SourceDiagnostics

/// Describes a path that a response does not have, and suggests another.
public struct MissingPath: Sendable {
  /// What the response has instead of the next step: `$.result has the members rows, total`.
  public let words: String
  /// What may be meant, as a path; nil when nothing is near.
  public let suggestion: String?

  /// Members that are named.
  private static let namesShown = 12

  /// Looks along a path for the first step that a response lacks.
  ///
  /// - Parameters:
  ///   - steps: the path
  ///   - root: the response
  ///   - isList: whether a list is wanted, so that the only one beside the missing member may be meant
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
