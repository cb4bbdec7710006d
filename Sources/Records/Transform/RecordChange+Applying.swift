internal import Expressions
internal import JSONSyntax

extension RecordChange {
  /// The maximum number of nodes that the paths of `remove` may visit in one record.
  private static let budget = 2_000_000

  /// Returns the record with all changes applied.
  ///
  /// - Throws: the reason why the record cannot be changed, with a pointer to the member that prevents the change.
  func applied(
    to record: JSONValue, scope: EvaluationScope
  ) throws(RecordError) -> JSONValue {
    var value = record
    if let flatten, case .object(let object) = value { value = try flatten.applied(to: object) }
    for rename in rename { value = try Self.renamed(value, rename.steps[...], to: rename.name, rename) }
    if !remove.isEmpty {
      let tree = RemovalTree()
      do throws(JSONPathBudgetError) {
        for path in remove {
          for node in try path.nodes(in: value, budget: Self.budget) { tree.add(node.location.steps[...]) }
        }
      } catch {
        throw RecordError("the paths of 'remove' visit too many values of this record", rule: "change")
      }
      value = tree.applied(to: value)
    }
    guard !add.isEmpty else { return value }
    guard case .object(var object) = value else {
      throw RecordError("members can only be added to an object, found \(Self.article(value))", rule: "change")
    }
    var scope = scope
    for member in add {
      scope.values["record"] = ExpressionValue(.object(object))
      do throws(ExpressionTemplateError) {
        object[member.name] = try member.value.value(in: scope, for: .record)
      } catch {
        throw RecordError(
          "'\(member.name)' cannot be added: \(error.message)", pointer: pointer(to: member.name), rule: "change")
      }
    }
    return .object(object)
  }

  private static func article(_ value: JSONValue) -> String {
    switch value {
    case .array: "an array"
    case .null: "null"
    default: "a \(value.kindName)"
    }
  }

  private func pointer(to name: String) -> String { RejectionText.pointer([.name(name)]) }

  private static func renamed(
    _ value: JSONValue, _ steps: ArraySlice<JSONPath.Step>, to name: String, _ rename: Rename
  ) throws(RecordError) -> JSONValue {
    guard let step = steps.first else { return value }
    switch (step, value) {
    case (.name(let old), .object(var object)):
      guard let inner = object[old] else { return value }
      guard steps.count == 1 else {
        object[old] = try renamed(inner, steps.dropFirst(), to: name, rename)
        return .object(object)
      }
      if old.unicodeScalars.elementsEqual(name.unicodeScalars) { return value }
      guard object[name] == nil else {
        throw RecordError(
          "'\(old)' cannot be renamed to '\(name)', because this name already exists",
          pointer: RejectionText.pointer(rename.steps), rule: "change")
      }
      return .object(
        JSONObject(
          object.members.map {
            $0.name.unicodeScalars.elementsEqual(old.unicodeScalars)
              ? JSONObject.Member(name: name, value: $0.value) : $0
          }))
    case (.index(let index), .array(var elements)):
      let position = index >= 0 ? index : elements.count + index
      guard elements.indices.contains(position) else { return value }
      elements[position] = try renamed(elements[position], steps.dropFirst(), to: name, rename)
      return .array(elements)
    default:
      return value
    }
  }
}

extension RecordChange.Flatten {
  /// The object with the members of inner objects as its own members; lists and their elements remain unchanged.
  fileprivate func applied(to object: JSONObject) throws(RecordError) -> JSONValue {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(object.members.count)
    collect(object, prefix: "", level: 0, into: &members)
    let flat = JSONObject(members)
    guard flat.members.count < members.count else { return .object(flat) }
    var names: Set<String> = []
    let twice = members.first { !names.insert($0.name).inserted }?.name ?? ""
    throw RecordError(
      "'flatten' would give two members the name '\(twice)'", pointer: RejectionText.pointer([.name(twice)]),
      rule: "change")
  }

  private func collect(_ object: JSONObject, prefix: String, level: Int, into members: inout [JSONObject.Member]) {
    for member in object.members {
      let name = prefix.isEmpty && level == 0 ? member.name : prefix + member.name
      if case .object(let inner) = member.value, !inner.members.isEmpty, level < depth ?? .max {
        collect(inner, prefix: name + separator, level: level + 1, into: &members)
      } else {
        members.append(JSONObject.Member(name: name, value: member.value))
      }
    }
  }
}

/// The locations to remove from a value, as a tree, so that the value is copied only once.
private final class RemovalTree {
  private var isRemoved = false
  /// The subtrees, by the UTF-8 bytes of the member's name.
  ///
  /// Swift's `String` equality would merge names that differ in their bytes.
  private var names: [[UInt8]: RemovalTree] = [:]
  private var indices: [Int: RemovalTree] = [:]

  func add(_ steps: ArraySlice<JSONPath.Step>) {
    guard let step = steps.first else {
      isRemoved = true
      return
    }
    switch step {
    case .name(let name):
      let key = Array(name.utf8)
      let tree = names[key] ?? RemovalTree()
      names[key] = tree
      tree.add(steps.dropFirst())
    case .index(let index):
      let tree = indices[index] ?? RemovalTree()
      indices[index] = tree
      tree.add(steps.dropFirst())
    }
  }

  func applied(to value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object) where !names.isEmpty:
      var members: [JSONObject.Member] = []
      for member in object.members {
        guard let tree = names[Array(member.name.utf8)] else {
          members.append(member)
          continue
        }
        if !tree.isRemoved {
          members.append(JSONObject.Member(name: member.name, value: tree.applied(to: member.value)))
        }
      }
      return .object(JSONObject(members))
    case .array(let elements) where !indices.isEmpty:
      var rest: [JSONValue] = []
      for (index, element) in elements.enumerated() {
        guard let tree = indices[index] else {
          rest.append(element)
          continue
        }
        if !tree.isRemoved { rest.append(tree.applied(to: element)) }
      }
      return .array(rest)
    default:
      return value
    }
  }
}
