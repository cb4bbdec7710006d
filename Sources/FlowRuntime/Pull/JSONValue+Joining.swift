internal import JSONSyntax

extension JSONValue {
  /// The value at a singular path; nil if there is none.
  func value(at steps: ArraySlice<JSONPath.Step>) -> JSONValue? {
    switch (steps.first, self) {
    case (nil, _): self
    case (.name(let name)?, .object(let object)): object[name]?.value(at: steps.dropFirst())
    case (.index(let index)?, .array(let elements)):
      elements.indices.contains(index) ? elements[index].value(at: steps.dropFirst()) : nil
    default: nil
    }
  }

  /// A copy in which another value is set at a singular path; nil if the path cannot exist in this value.
  ///
  /// Missing members along the path are added, but missing list elements are not.
  func replacing(_ steps: ArraySlice<JSONPath.Step>, by value: JSONValue) -> JSONValue? {
    switch (steps.first, self) {
    case (nil, _): return value
    case (.index(let index)?, .array(var elements)):
      guard elements.indices.contains(index),
        let element = elements[index].replacing(steps.dropFirst(), by: value)
      else { return nil }
      elements[index] = element
      return .array(elements)
    case (.name(let name)?, .object(var object)):
      guard let member = (object[name] ?? .null).replacing(steps.dropFirst(), by: value) else { return nil }
      object[name] = member
      return .object(object)
    case (.name?, .null): return JSONValue.object(JSONObject()).replacing(steps, by: value)
    default: return nil
    }
  }

  /// Joins this value with another one: objects are joined member by member; otherwise the other value is returned.
  func joined(with other: JSONValue) -> JSONValue {
    guard case .object(let own) = self, case .object(let new) = other else { return other }
    var members = own.members
    var indices = Dictionary(minimumCapacity: members.count + new.members.count) as [ExactName: Int]
    for (index, member) in members.enumerated() { indices[ExactName(member.name)] = index }
    for member in new.members {
      if let index = indices[ExactName(member.name)] {
        members[index].value = members[index].value.joined(with: member.value)
      } else {
        indices[ExactName(member.name)] = members.count
        members.append(member)
      }
    }
    return .object(JSONObject(distinct: members))
  }

  /// The value with the members of all objects sorted by name, so that equal values have equal texts.
  var sortedByName: JSONValue {
    switch self {
    case .object(let object):
      .object(
        JSONObject(
          distinct: object.members.sorted { $0.name.precedesByScalars($1.name) }
            .map { .init(name: $0.name, value: $0.value.sortedByName) }))
    case .array(let elements): .array(elements.map(\.sortedByName))
    default: self
    }
  }
}
