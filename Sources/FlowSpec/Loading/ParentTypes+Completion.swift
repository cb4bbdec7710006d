import Expressions

extension ParentTypes {
  /// The flows, in which fields that are computed from a parent's record or value have the type of what they take, where
  /// they declare none: in a table a text is then a text, and not JSON.
  static func completing(_ flows: [FlowDeclaration]) -> [FlowDeclaration] {
    guard flows.contains(where: { $0.each != nil && !$0.openFields.isEmpty }) else { return flows }
    var flows = flows
    var types = ParentTypes(flows)
    for place in FlowGraph(flows).order {
      let open = flows[place].openFields
      guard let each = flows[place].each, !open.isEmpty else { continue }
      var scope = types.scope(of: flows[place], each)
      scope["source"] = .dynamic
      var hasChanged = true
      while hasChanged {
        hasChanged = false
        for index in open {
          guard let fields = flows[place].schema?.fields, case .json = fields[index].type,
            let expression = fields[index].value?.parts.first?.expression
          else { continue }
          scope["record"] = .object(
            ExpressionType.Object(fields.filter { $0.name != fields[index].name }.map(\.member)))
          let (type, faults) = expression.check(scope)
          let found = TypeDeclaration(holding: type)
          guard faults.isEmpty, found.name != fields[index].type.name else { continue }
          flows[place].schema?.fields[index].type = found
          hasChanged = true
        }
      }
      types.schemas[flows[place].id] = flows[place].schema
    }
    return flows
  }
}

extension FlowDeclaration {
  /// The fields that are one expression each and of which no type is known yet.
  fileprivate var openFields: [Int] {
    guard let fields = schema?.fields else { return [] }
    return fields.indices.filter { place in
      guard fields[place].isInferred, case .json = fields[place].type, let value = fields[place].value else {
        return false
      }
      // A default was read by the type that was known.
      if case .default = fields[place].missing { return false }
      return value.template.segments.count == 1 && value.parts.count == 1
    }
  }
}
