internal import FieldTypes
internal import JSONSyntax
internal import TimeSyntax

/// Converts a schema to the flat arrays of a plan.
struct MappingPlanBuilder {
  var nodes: [MappingPlan.Node] = []
  var children: [MappingPlan.Child] = []
  var elements: [MappingPlan.Element] = []
  var fields: [MappingPlan.Field] = []
  var types: [MappingPlan.TypeCode] = []
  var objects: [MappingPlan.ObjectPlan] = []
  var enumerations: [Set<[UInt8]>] = []
  var patterns: [StrptimePattern] = []
  var alternatives: [[MappingPlan.TypeCode]] = []
  var fieldLists: [Int32] = []
  var names: [UInt8] = []
  var constants: [UInt8] = []
  var queries: [MappingPlan.Query] = []

  /// A node of the tree during construction: one node per distinct path.
  private final class Branch {
    var members: [(name: String, branch: Branch)] = []
    var elements: [(index: Int, branch: Branch)] = []
    var fields: [Int32] = []

    func below() -> [Int32] {
      (members.map(\.branch) + elements.map(\.branch)).flatMap { $0.fields + $0.below() }
    }
  }

  /// Adds an object type and returns its index in `objects`.
  mutating func object(_ mappings: [FieldMapping]) -> Int32 {
    let index = Int32(objects.count)
    let first = Int32(fields.count)
    var prefixes: [[UInt8]] = []
    for (position, mapping) in mappings.enumerated() {
      let out = ByteBuffer(capacity: 64)
      out.append(position == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
      Array(mapping.name.utf8).withUnsafeBufferPointer { EscapedText.quote($0, into: out) }
      out.append(UInt8(ascii: ":"))
      prefixes.append(out.copy())
      fields.append(MappingPlan.Field(type: 0, policy: .required))
    }
    objects.append(
      MappingPlan.ObjectPlan(
        root: 0, firstField: first, fieldCount: Int32(mappings.count), mappings: mappings, prefixes: prefixes))
    let root = Branch()
    for (position, mapping) in mappings.enumerated() {
      let type = self.type(mapping.type)
      types[Int(type)].coerces = mapping.coerces
      var field = MappingPlan.Field(type: type, policy: .required)
      switch mapping.missing {
      case .required: break
      case .optional: field.policy = .optional
      case .default(let value):
        field.policy = .constant
        field.constantStart = Int32(constants.count)
        let out = ByteBuffer(capacity: 64)
        out.append(json: value)
        constants += out.copy()
        field.constantLength = Int32(constants.count) - field.constantStart
      }
      if mapping.value != nil {
        field.policy = .computed
      } else if let steps = mapping.from.singularSteps, !steps.contains(where: \.countsFromEnd) {
        branch(at: steps, from: root).fields.append(first + Int32(position))
      } else {
        field.isQuery = true
        queries.append(MappingPlan.Query(object: index, field: first + Int32(position), path: mapping.from))
      }
      fields[Int(first) + position] = field
    }
    objects[Int(index)].root = node(root)
    return index
  }

  private func branch(at steps: [JSONPath.Step], from root: Branch) -> Branch {
    var branch = root
    for step in steps {
      switch step {
      case .name(let name):
        if let known = branch.members.first(where: { $0.name == name }) {
          branch = known.branch
        } else {
          let next = Branch()
          branch.members.append((name, next))
          branch = next
        }
      case .index(let index):
        if let known = branch.elements.first(where: { $0.index == index }) {
          branch = known.branch
        } else {
          let next = Branch()
          branch.elements.append((index, next))
          branch.elements.sort { $0.index < $1.index }
          branch = next
        }
      }
    }
    return branch
  }

  private mutating func node(_ branch: Branch) -> Int32 {
    let index = nodes.count
    nodes.append(MappingPlan.Node())
    var node = MappingPlan.Node()
    node.firstField = Int32(fieldLists.count)
    node.fieldCount = Int32(branch.fields.count)
    fieldLists += branch.fields
    let below = branch.below()
    node.firstBelow = Int32(fieldLists.count)
    node.belowCount = Int32(below.count)
    fieldLists += below
    let memberNodes = branch.members.map { (name: $0.name, node: self.node($0.branch)) }
    let elementNodes = branch.elements.map { (index: $0.index, node: self.node($0.branch)) }
    node.firstChild = Int32(children.count)
    node.childCount = Int32(memberNodes.count)
    for member in memberNodes {
      let bytes = Array(member.name.utf8)
      let start = Int32(names.count)
      names += bytes
      children.append(
        MappingPlan.Child(
          word: Self.word(bytes), length: Int32(bytes.count), name: start, node: member.node))
    }
    node.firstElement = Int32(elements.count)
    node.elementCount = Int32(elementNodes.count)
    for element in elementNodes {
      elements.append(MappingPlan.Element(index: Int32(clamping: element.index), node: element.node))
    }
    if let field = branch.fields.first, branch.fields.count == 1, memberNodes.isEmpty, elementNodes.isEmpty {
      let type = types[Int(fields[Int(field)].type)]
      if type.isScalar { (node.leaf, node.leafType) = (field, type) }
    }
    nodes[index] = node
    return Int32(index)
  }

  private static func word(_ bytes: [UInt8]) -> UInt64 {
    var word: UInt64 = 0
    for (position, byte) in bytes.prefix(8).enumerated() { word |= UInt64(byte) << UInt64(position * 8) }
    return word
  }

  private mutating func timestamp(_ format: TimestampFormat) -> MappingPlan.TypeCode {
    var code = MappingPlan.TypeCode(kind: .timestamp)
    switch format {
    case .iso8601: break
    case .iso8601InUTC: code.form = .iso8601InUTC
    case .epochSeconds: code.form = .epochSeconds
    case .epochMilliseconds: code.form = .epochMilliseconds
    case .epochMicroseconds: code.form = .epochMicroseconds
    case .pattern(let text):
      code.form = .pattern
      // The language checks patterns. With an unknown pattern the field matches no text, instead of a wrong text.
      code.detail = -1
      if let pattern = StrptimePattern(text) {
        patterns.append(pattern)
        code.detail = Int32(patterns.count - 1)
      }
    case .anyOf(let formats):
      let codes = formats.map { timestamp($0) }
      alternatives.append(codes)
      code.form = .several
      code.detail = Int32(alternatives.count - 1)
    }
    return code
  }

  private mutating func type(_ type: FieldType) -> Int32 {
    var code = MappingPlan.TypeCode(kind: type.typeName)
    switch type {
    case .plain: break
    case .timestamp(let format): code = timestamp(format)
    case .enumeration(let values):
      enumerations.append(Set(values.map { Array($0.utf8) }))
      code.detail = Int32(enumerations.count - 1)
    case .list(let element): code.detail = self.type(element)
    case .object(let mappings): code.detail = object(mappings)
    }
    types.append(code)
    return Int32(types.count - 1)
  }
}

extension JSONPath.Step {
  /// Whether the index is negative; its element is known only at the end of the array.
  fileprivate var countsFromEnd: Bool {
    if case .index(let index) = self { index < 0 } else { false }
  }
}
