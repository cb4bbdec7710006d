internal import JSONSyntax

extension ExpressionValue {
  /// The approximate size in bytes; counting stops when the size exceeds the bound.
  func size(atMost bound: Int) -> Int {
    var pending: [ExpressionValue] = [self]
    var size = 0
    while let value = pending.popLast(), size <= bound {
      switch value {
      case .string(let text): size += text.utf8.count
      case .number(let number): size += number.text.utf8.count
      case .list(let elements):
        size += 32 * elements.count
        if size <= bound { pending += elements }
      case .map(let members):
        for member in members { size += 32 + member.name.utf8.count }
        if size <= bound { pending += members.map(\.value) }
      case .json(.array(let elements)):
        size += 32 * elements.count
        if size <= bound { pending += elements.map { ExpressionValue($0) } }
      case .json(.object(let object)):
        for member in object.members { size += 32 + member.name.utf8.count }
        if size <= bound { pending += object.members.map { ExpressionValue($0.value) } }
      default: break
      }
    }
    return size
  }
}
