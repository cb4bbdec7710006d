import Expressions

extension ExpressionType {
  /// Creates the type of a value that has one of several object types.
  ///
  /// A member that only some of these types have is optional; a member whose types differ has any type. If one of the
  /// given types is unknown, the created type is unknown too.
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
