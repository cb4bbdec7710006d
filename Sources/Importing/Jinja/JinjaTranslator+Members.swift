extension JinjaTranslator {
  /// The root of a look-up, the names that lead from it to the value, and the default of the last step; nil for other
  /// expressions.
  func chain(_ expression: JinjaExpression) -> (root: String, keys: [String], fallback: JinjaExpression?)? {
    switch expression {
    case .name(let name): return (name, [], nil)
    // `(config.credentials or config)` is the object where one is declared.
    case .binary(let left, .or, .name("config")) where isObject(left): return chain(left)
    case .member(let base, let key):
      guard let key = constantText(key), let outer = chain(base) else { return nil }
      return (outer.root, outer.keys + [key], nil)
    // `response.json()` is the same as `response`.
    case .call(.member(let base, .text("json")), let arguments) where arguments.isEmpty: return chain(base)
    case .call(.member(let base, .text("get")), let arguments):
      guard case .text(let key)? = arguments.first?.value, let outer = chain(base) else { return nil }
      return (outer.root, outer.keys + [key], arguments.count > 1 ? arguments[1].value : nil)
    default: return nil
    }
  }

  /// Like ``chain(_:)``, but also accepts a look-up on the condition that its value exists, such as `config.a if
  /// config.a`; nil for other expressions.
  func pathIfThere(_ expression: JinjaExpression) -> (root: String, keys: [String], fallback: JinjaExpression?)? {
    guard case .conditional(let condition, let path, let other) = expression,
      other == nil || other == JinjaExpression.none || other == .text(""), let found = chain(path)
    else { return chain(expression) }
    func isAsked(_ condition: JinjaExpression) -> Bool {
      switch condition {
      case .binary(let left, .and, let right): return isAsked(left) && isAsked(right)
      case .binary(.text(let key), .in, let base):
        return chain(base).map { $0.root == found.root && found.keys.starts(with: $0.keys + [key]) } ?? false
      default:
        return chain(condition).map { $0.root == found.root && found.keys.starts(with: $0.keys) } ?? false
      }
    }
    return isAsked(condition) ? found : nil
  }

  /// The text of an expression that joins constant texts; nil for others.
  func constantText(_ expression: JinjaExpression) -> String? {
    switch expression {
    case .text(let text): text
    case .binary(let left, .join, let right), .binary(let left, .plus, let right):
      if let left = constantText(left), let right = constantText(right) { left + right } else { nil }
    default: nil
    }
  }

  static let chained: Set<String> = [
    "config", "parameters", "options", "stream_slice", "stream_partition", "stream_interval", "stream_state",
    "next_page_token",
  ]

  /// The expression for a look-up whose root is translated in a special way, such as `config`; nil for other roots.
  func chained(
    _ path: (root: String, keys: [String], fallback: JinjaExpression?)
  ) throws(JinjaError) -> FlowExpression? {
    if path.root == "components_values", let items = names.items { return try items.value(of: path.keys) }
    guard Self.chained.contains(path.root), names.locals[path.root] == nil else { return nil }
    return try value(of: path.root, path.keys, fallback: path.fallback)
  }

  func member(_ base: JinjaExpression, _ key: JinjaExpression) throws(JinjaError) -> FlowExpression {
    if let items = names.items, let element = items.element(of: chain(base), key) { return element }
    if let path = chain(.member(base, key)), let value = try chained(path) { return value }
    if let element = element(of: base, key) { return try translate(element) }
    var value = try translate(base)
    if case .integer = key, let list = names.variables.list(value) { value = list }
    switch key {
    case .text(let name):
      if let part = part(name, of: value) { return part }
      if names.roots["headers"] == value, value.isLookUp {
        var header = value.member(name.lowercased())
        header.kind = .string
        return header
      }
      return value.member(name)
    case .integer(let digits):
      let element = "\(value.operand(.value))[\(digits)]"
      return value.text.hasPrefix("split(")
        ? FlowExpression(element, .string, mayBeMissing: true, isLookUp: true) : .lookUp(element)
    case .negative(.integer("1")): return .lookUp("last(\(value.text))")
    case .negative(.integer(let digits)):
      return .lookUp("slice(\(value.text), -\(digits))[0]")
    default:
      let element = FlowExpression.lookUp("\(value.operand(.value))[\(try translate(key).text)]")
      guard case .mapping(let pairs) = base else { return element }
      return try typed(element, as: pairs)
    }
  }

  /// The element of a literal list or mapping at a literal key; nil if one of the two is not a literal.
  private func element(of base: JinjaExpression, _ key: JinjaExpression) -> JinjaExpression? {
    var base = base
    if case .member(let outer, let name) = base, let inner = element(of: outer, name) { base = inner }
    switch (base, key) {
    case (.mapping(let pairs), _):
      guard let name = constantText(key) else { return nil }
      let names = pairs.map { constantText($0.name) }
      // The last pair of a name counts.
      if let index = names.lastIndex(of: name) { return pairs[index].value }
      return names.contains(nil) ? nil : JinjaExpression.none
    case (.list(let elements), .integer(let digits)):
      guard let index = Int(digits) else { return nil }
      return elements.indices.contains(index) ? elements[index] : JinjaExpression.none
    default: return nil
    }
  }

  /// An element of a literal mapping; if all values of the mapping have the same kind, the element has this kind.
  private func typed(
    _ element: FlowExpression, as pairs: [JinjaExpression.Pair]
  ) throws(JinjaError) -> FlowExpression {
    let values = try pairs.map { pair throws(JinjaError) in try translate(pair.value) }
    guard let kind = values.first?.kind, values.allSatisfy({ $0.kind == kind }) else { return element }
    return FlowExpression(
      element.text, kind, mayBeMissing: true, isLookUp: true, mayBeEmpty: values.contains { $0.mayBeEmpty })
  }

  func range(
    _ value: JinjaExpression, _ from: JinjaExpression?, _ to: JinjaExpression?
  ) throws(JinjaError) -> FlowExpression {
    let value = try translate(value)
    let start = try from.map { from throws(JinjaError) in try translate(from).text } ?? "0"
    let end = try to.map { to throws(JinjaError) in ", " + (try translate(to).text) } ?? ""
    let (subject, kind): (String, FlowExpression.Kind) =
      value.kind == .list ? (value.text, .list) : (value.asText.text, .string)
    return FlowExpression("slice(\(subject), \(start)\(end))", kind, mayBeEmpty: true)
  }

  /// The expression for a member of a root that is translated in a special way, such as `config`.
  func value(
    of root: String, _ keys: [String], fallback: JinjaExpression?
  ) throws(JinjaError) -> FlowExpression {
    let path = ([root] + keys).joined(separator: ".")
    switch root {
    case "config":
      var literal: SourceNode.Content?
      switch fallback {
      case .text(let text)?: literal = .text(text)
      case .integer(let digits)?, .number(let digits)?: literal = .number(digits)
      case .bool(let value)?: literal = .bool(value)
      default: break
      }
      let value = try names.variables.look(up: keys, default: literal)
      // A variable that is empty by default has no other default.
      guard let fallback, fallback != .none,
        literal == nil || value.mayBeMissing || value.mayBeEmpty && fallback != .text("")
      else {
        return value
      }
      if case .mapping(let pairs) = fallback, pairs.isEmpty { return value }
      if value.mayBeEmpty, value.kind == .string {
        let other = try translate(fallback)
        return FlowExpression(
          "\(value.operand(.sum)) != '' ? \(value.text) : \(other.text)", value.kind == other.kind ? value.kind : .any,
          .choice)
      }
      guard value.mayBeMissing else { return value }
      return value.filled(with: try translate(fallback))
    case "parameters", "options":
      guard let first = keys.first, var node = names.parameters[first] else {
        // In Airbyte, an undefined parameter is empty.
        return try fallback.map { other throws(JinjaError) in try translate(other) } ?? FlowExpression("null", .null)
      }
      for key in keys.dropFirst() {
        guard let next = node[key] else { throw JinjaError("'\(path)' is not set") }
        node = next
      }
      return try literal(node)
    case "next_page_token":
      guard let token = names.pageToken else { throw JinjaError("'next_page_token' cannot be translated here") }
      return token
    case "stream_state":
      if names.intervals.isEmpty {
        // In Airbyte, a stream without a cursor has no state either.
        return try fallback.map { other throws(JinjaError) in try translate(other) } ?? FlowExpression("null", .null)
      }
      guard keys.count == 1, let found = names.states[keys[0]] else {
        throw JinjaError("'\(path)' cannot be translated: it is not the position of a cursor")
      }
      guard found.mayBeMissing, let fallback else { return found }
      return found.filled(with: try translate(fallback).asBound(of: found))
    default:
      if let first = keys.first, let interval = names.intervals[first], keys.count == 1 { return interval }
      let known = keys.first == "extra_fields" ? Array(keys.dropFirst()) : keys
      if let found = names.partitions[known.joined(separator: ".")] { return found }
      if let first = known.first, let found = names.partitions[first] {
        return known.dropFirst().reduce(found) { $0.member($1) }
      }
      if let fallback { return try translate(fallback) }
      // In Airbyte, a name that the routers of the stream do not define is undefined too.
      if !names.partitions.isEmpty { return FlowExpression("null", .null) }
      throw JinjaError("'\(path)' cannot be translated: no router or cursor of the stream sets it")
    }
  }

  /// The list or the mapping in `$parameters` to which a text refers that is a single expression; nil for other values.
  func parameter(_ node: SourceNode) -> SourceNode? {
    guard let only = (try? JinjaTemplate(node.text ?? ""))?.only, let path = chain(only),
      ["parameters", "options"].contains(path.root), let first = path.keys.first
    else { return nil }
    let found = path.keys.dropFirst().reduce(names.parameters[first]) { $0?[$1] }
    return found?.scalar == nil ? found : nil
  }

  /// A value of `$parameters`, which may be a template itself.
  func literal(_ node: SourceNode) throws(JinjaError) -> FlowExpression {
    switch node.content {
    case .null: return FlowExpression("null", .null)
    case .bool(let value): return FlowExpression(value ? "true" : "false", .bool)
    case .number(let text): return FlowExpression(text, text.contains(".") ? .number : .integer)
    case .text(let text):
      guard text.contains("{{") || text.contains("{%") else { return .literal(text) }
      guard !text.contains("parameters") else {
        throw JinjaError("a parameter that uses another parameter cannot be translated")
      }
      return try TemplateTranslator(names).expression(of: text)
    case .list(let elements):
      var texts: [String] = []
      for element in elements { texts.append(try literal(element).text) }
      return FlowExpression("[\(texts.joined(separator: ", "))]", .list)
    case .mapping(let members):
      var texts: [String] = []
      for member in members {
        texts.append("\(FlowExpression.literal(member.name).text): \(try literal(member.value).text)")
      }
      return FlowExpression("{\(texts.joined(separator: ", "))}", .map)
    }
  }
}
