import Expressions

extension ExpressionType {
  /// The type of a value that has one of several types of objects.
  ///
  /// Members that only some of them have may be missing; a member with different types is of any type. If one of the
  /// types is unknown, so is the result.
  init(common types: [ExpressionType]) {
    var objects: [Object] = []
    for type in types {
      guard case .object(let object) = type else {
        self = .dynamic
        return
      }
      objects.append(object)
    }
    var members: [Member] = []
    for member in objects.flatMap(\.members) where !members.contains(where: { $0.name == member.name }) {
      let found = objects.compactMap { object in object.members.first { $0.name == member.name }?.type }
      let isCertain = found.count == objects.count && !found.contains(where: \.mayBeMissing)
      let isSame = found.allSatisfy { $0.unwrapped == member.type.unwrapped }
      let type = isSame ? member.type.unwrapped : .dynamic
      members.append(Member(member.name, isCertain ? type : .optional(type)))
    }
    self = .object(Object(members))
  }
}
