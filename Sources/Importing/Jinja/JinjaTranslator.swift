/// Translates expressions of manifests into expressions of the flow language.
struct JinjaTranslator {
  let names: JinjaNames

  init(_ names: JinjaNames) { self.names = names }

  /// Translates an expression.
  func translate(_ expression: JinjaExpression) throws(JinjaError) -> FlowExpression {
    switch expression {
    case .none: return FlowExpression("null", .null)
    case .bool(let value): return FlowExpression(value ? "true" : "false", .bool)
    case .integer(let digits):
      guard Int64(digits) != nil else { throw JinjaError("the number \(digits) is too large") }
      return FlowExpression(digits, .integer)
    case .number(let digits): return FlowExpression(digits, .number)
    case .text(let text): return .literal(text)
    case .list(let elements):
      var texts: [String] = []
      for element in elements { texts.append(try translate(element).text) }
      return FlowExpression("[\(texts.joined(separator: ", "))]", .list)
    case .mapping(let pairs):
      var texts: [String] = []
      for pair in pairs { texts.append("\(try translate(pair.name).text): \(try translate(pair.value).text)") }
      return FlowExpression("{\(texts.joined(separator: ", "))}", .map)
    case .name(let name): return try root(name)
    case .member(let base, let key): return try member(base, key)
    case .range(let value, let from, let to): return try range(value, from, to)
    case .call(let function, let arguments): return try call(function, arguments)
    case .filter(let value, let name, let arguments): return try filter(value, name, arguments)
    case .test(let value, let name, let operands, let isNegated):
      let result = try test(value, name, operands)
      return isNegated ? negated(result) : result
    case .not(let value): return negated(try truth(value))
    case .negative(let value):
      let value = try translate(value)
      return FlowExpression("-\(value.operand(.value))", value.kind, .unary)
    case .binary(let left, let kind, let right): return try binary(left, kind, right)
    case .conditional(let condition, let then, _) where isObject(condition): return try translate(then)
    case .conditional(let condition, let then, let otherwise):
      return try conditional(
        condition, try translate(then), otherwise.map { other throws(JinjaError) in try translate(other) })
    }
  }

  /// Whether an expression is an object that counts as given: one of the configuration, or the state, whose value
  /// is where the cursor begins also in the first run.
  private func isObject(_ expression: JinjaExpression) -> Bool {
    guard let path = chain(expression) else { return false }
    if ["stream_slice", "stream_interval", "stream_partition"].contains(path.root), path.keys.isEmpty {
      return !names.intervals.isEmpty || !names.partitions.isEmpty
    }
    if path.root == "stream_state" { return path.keys.isEmpty && !names.states.isEmpty }
    return path.root == "config" && !path.keys.isEmpty && names.variables.isObject(path.keys)
  }

  private func truth(_ expression: JinjaExpression) throws(JinjaError) -> FlowExpression {
    isObject(expression) ? FlowExpression("true", .bool) : try translate(expression).truth
  }

  /// One of two values, by a condition.
  func conditional(
    _ condition: JinjaExpression, _ then: FlowExpression, _ otherwise: FlowExpression?
  ) throws(JinjaError) -> FlowExpression {
    let otherwise = otherwise ?? FlowExpression("null", .null)
    let isTrue = try translate(condition).truth
    if isTrue.text == "true" { return then }
    if isTrue.text == "false" { return otherwise }
    // `x if x else d` is a default.
    if case .some(let value) = try? translate(condition), value.text == then.text, value.isLookUp, value.mayBeMissing,
      otherwise.kind != .null, !otherwise.mayBeMissing, value.kind != .any
    {
      return value.filled(with: otherwise)
    }
    let kind: FlowExpression.Kind =
      then.kind == otherwise.kind || otherwise.kind == .null ? then.kind : then.kind == .null ? otherwise.kind : .any
    return FlowExpression(
      "\(isTrue.operand(.or)) ? \(then.operand(.or)) : \(otherwise.text)", kind, .choice,
      mayBeMissing: then.mayBeMissing || otherwise.mayBeMissing || then.kind == .null || otherwise.kind == .null,
      mayBeEmpty: then.mayBeEmpty || otherwise.mayBeEmpty)
  }

  /// The opposite of a condition.
  func negated(_ value: FlowExpression) -> FlowExpression {
    if value.text == "true" { return FlowExpression("false", .bool) }
    if value.text == "false" { return FlowExpression("true", .bool) }
    if value.level == .unary, value.text.hasPrefix("!(coalesce("), value.text.hasSuffix(" in ['', 0, false, [], {}])") {
      return FlowExpression(String(value.text.dropFirst(2).dropLast()), .bool, .relation)
    }
    for (sign, opposite) in [(" == ", " != "), (" != ", " == ")] where value.level == .relation {
      let parts = value.text.split(separator: sign, omittingEmptySubsequences: false)
      if parts.count == 2, !value.text.contains("&&"), !value.text.contains("||") {
        return FlowExpression(parts.joined(separator: opposite), .bool, .relation)
      }
    }
    return FlowExpression("!\(value.operand(.value))", .bool, .unary)
  }

  private func root(_ name: String) throws(JinjaError) -> FlowExpression {
    if let local = names.locals[name] ?? names.roots[name] { return local }
    switch name {
    case "config": throw JinjaError("the whole configuration has no counterpart")
    case "next_page_token":
      guard let token = names.pageToken else { throw JinjaError("'next_page_token' has no counterpart here") }
      return token
    case "parameters", "options", "stream_slice", "stream_partition", "stream_interval":
      throw JinjaError("'\(name)' as a whole has no counterpart")
    case "inf": throw JinjaError("infinity has no counterpart")
    default: throw JinjaError("'\(name)' has no counterpart here")
    }
  }

  // MARK: - Members

  /// The names from a root to a value, and the default of the last look-up; nil when the look-up is something else.
  func chain(_ expression: JinjaExpression) -> (root: String, keys: [String], fallback: JinjaExpression?)? {
    switch expression {
    case .name(let name): return (name, [], nil)
    // `(config.credentials or config)` is the object where one is declared.
    case .binary(let left, .or, .name("config")) where isObject(left): return chain(left)
    case .member(let base, let key):
      guard let key = constantText(key), let outer = chain(base) else { return nil }
      return (outer.root, outer.keys + [key], nil)
    // A response whose body is read is its body.
    case .call(.member(let base, .text("json")), let arguments) where arguments.isEmpty: return chain(base)
    case .call(.member(let base, .text("get")), let arguments):
      guard case .text(let key)? = arguments.first?.value, let outer = chain(base) else { return nil }
      return (outer.root, outer.keys + [key], arguments.count > 1 ? arguments[1].value : nil)
    default: return nil
    }
  }

  /// The text of an expression that joins constant texts; nil for others.
  private func constantText(_ expression: JinjaExpression) -> String? {
    switch expression {
    case .text(let text): text
    case .binary(let left, .join, let right), .binary(let left, .plus, let right):
      if let left = constantText(left), let right = constantText(right) { left + right } else { nil }
    default: nil
    }
  }

  private static let chained: Set<String> = [
    "config", "parameters", "options", "stream_slice", "stream_partition", "stream_interval", "stream_state",
    "next_page_token",
  ]

  /// The value of a chain of look-ups whose root stands for several things; nil for other roots.
  func chained(
    _ path: (root: String, keys: [String], fallback: JinjaExpression?)
  ) throws(JinjaError) -> FlowExpression? {
    guard Self.chained.contains(path.root), names.locals[path.root] == nil else { return nil }
    return try value(of: path.root, path.keys, fallback: path.fallback)
  }

  private func member(_ base: JinjaExpression, _ key: JinjaExpression) throws(JinjaError) -> FlowExpression {
    if let path = chain(.member(base, key)), let value = try chained(path) { return value }
    var value = try translate(base)
    if case .integer = key, let list = names.variables.list(value) { value = list }
    switch key {
    case .text(let name):
      if names.roots["headers"] == value, value.isLookUp { return value.member(name.lowercased()) }
      return value.member(name)
    case .integer(let digits):
      let element = "\(value.operand(.value))[\(digits)]"
      return value.text.hasPrefix("split(")
        ? FlowExpression(element, .string, mayBeMissing: true, isLookUp: true) : .lookUp(element)
    case .negative(.integer("1")): return .lookUp("last(\(value.text))")
    case .negative(.integer(let digits)):
      return .lookUp("slice(\(value.text), -\(digits))[0]")
    default: return .lookUp("\(value.operand(.value))[\(try translate(key).text)]")
    }
  }

  private func range(
    _ value: JinjaExpression, _ from: JinjaExpression?, _ to: JinjaExpression?
  ) throws(JinjaError) -> FlowExpression {
    let value = try translate(value)
    let start = try from.map { from throws(JinjaError) in try translate(from).text } ?? "0"
    let end = try to.map { to throws(JinjaError) in ", " + (try translate(to).text) } ?? ""
    let (subject, kind): (String, FlowExpression.Kind) =
      value.kind == .list ? (value.text, .list) : (value.asText.text, .string)
    return FlowExpression("slice(\(subject), \(start)\(end))", kind, mayBeEmpty: true)
  }

  /// The value of a name that stands for several things, such as the configuration.
  private func value(
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
      guard literal == nil, let fallback, fallback != .none else { return value }
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
        // An undefined name is empty there.
        return try fallback.map { other throws(JinjaError) in try translate(other) } ?? FlowExpression("null", .null)
      }
      for key in keys.dropFirst() {
        guard let next = node[key] else { throw JinjaError("'\(path)' is not set") }
        node = next
      }
      return try literal(node)
    case "next_page_token":
      guard let token = names.pageToken else { throw JinjaError("'next_page_token' has no counterpart here") }
      return token
    case "stream_state":
      if names.intervals.isEmpty {
        // A stream without a cursor has no state there either.
        return try fallback.map { other throws(JinjaError) in try translate(other) } ?? FlowExpression("null", .null)
      }
      guard keys.count == 1, let found = names.states[keys[0]] else {
        throw JinjaError("'\(path)' has no counterpart: it is not where the range of a cursor begins")
      }
      guard found.mayBeMissing, let fallback else { return found }
      return found.filled(with: try translate(fallback))
    default:
      if let first = keys.first, let interval = names.intervals[first], keys.count == 1 { return interval }
      let known = keys.first == "extra_fields" ? Array(keys.dropFirst()) : keys
      if let found = names.partitions[known.joined(separator: ".")] { return found }
      if let first = known.first, let found = names.partitions[first] {
        return known.dropFirst().reduce(found) { $0.member($1) }
      }
      if let fallback { return try translate(fallback) }
      // A name that the routers of the stream do not give is undefined there too.
      if !names.partitions.isEmpty { return FlowExpression("null", .null) }
      throw JinjaError("'\(path)' has no counterpart: no router or cursor of the stream gives it")
    }
  }

  /// A value of `$parameters`, which may be a template itself.
  private func literal(_ node: SourceNode) throws(JinjaError) -> FlowExpression {
    switch node.content {
    case .null: return FlowExpression("null", .null)
    case .bool(let value): return FlowExpression(value ? "true" : "false", .bool)
    case .number(let text): return FlowExpression(text, text.contains(".") ? .number : .integer)
    case .text(let text):
      guard text.contains("{{") || text.contains("{%") else { return .literal(text) }
      guard !text.contains("parameters") else { throw JinjaError("a parameter uses another parameter") }
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

  // MARK: - Operators

  private func binary(
    _ left: JinjaExpression, _ kind: JinjaExpression.Operator, _ right: JinjaExpression
  ) throws(JinjaError) -> FlowExpression {
    switch kind {
    case .or, .and: return try logical(left, kind, right)
    case .equal, .different: return try equality(left, kind == .equal, right)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let (before, after) = (try translate(left), try translate(right))
      guard before.kind != .null, after.kind != .null else {
        throw JinjaError("a comparison with an undefined name has no counterpart")
      }
      let (first, second) = try comparable(before, after)
      return FlowExpression("\(first.operand(.sum)) \(kind.rawValue) \(second.operand(.sum))", .bool, .relation)
    case .in where right == .name("config"), .notIn where right == .name("config"):
      guard let key = constantText(left) else {
        throw JinjaError("a computed name of the configuration has no counterpart")
      }
      let found = try truth(.member(right, .text(key)))
      return kind == .in ? found : negated(found)
    case .in, .notIn:
      let found = try contains(try translate(left), in: try translate(right))
      return kind == .in ? found : negated(found)
    case .join:
      return try sum(try translate(left).asText, try translate(right).asText)
    case .plus: return try sum(try translate(left), try translate(right))
    case .minus: return try difference(left, right)
    case .times, .divided, .wholeDivided, .rest:
      let (first, second) = (try number(try translate(left)), try number(try translate(right)))
      if kind == .divided {
        return FlowExpression("float(\(first.text)) / \(second.operand(.unary))", .number, .product)
      }
      let sign = kind == .wholeDivided ? "/" : kind.rawValue
      let result: FlowExpression.Kind = first.kind == .integer && second.kind == .integer ? .integer : .any
      return FlowExpression("\(first.operand(.product)) \(sign) \(second.operand(.unary))", result, .product)
    case .power: throw JinjaError("'**' has no counterpart")
    }
  }

  private func logical(
    _ left: JinjaExpression, _ kind: JinjaExpression.Operator, _ right: JinjaExpression
  ) throws(JinjaError) -> FlowExpression {
    if isObject(left) { return kind == .and ? try translate(right) : FlowExpression("true", .bool) }
    let first = try translate(left)
    if kind == .or, first.isLiteral, first.text == "''" { return try translate(right) }
    // The start of the range is known also in the first run.
    if kind == .or, first.text == "cursor.start", !first.mayBeMissing { return first }
    let second = try translate(right)
    // `x or d` gives a value, not a bool, unless both are bools.
    if kind == .or, first.kind != .bool, !(first.kind == .any && second.kind == .bool),
      second.kind != .null || first.isLookUp
    {
      if first.isLookUp, first.mayBeMissing, second.kind != .null { return first.filled(with: second) }
      if second.kind == .null { return first }
      return FlowExpression(
        "\(first.truth.operand(.or)) ? \(first.operand(.or)) : \(second.text)",
        first.kind == second.kind ? first.kind : .any, .choice, mayBeMissing: second.mayBeMissing)
    }
    let (a, b) = (first.truth, second.truth)
    let level: FlowExpression.Level = kind == .or ? .or : .and
    let neutral = kind == .or ? "false" : "true"
    if a.text == neutral { return b }
    if b.text == neutral { return a }
    let sign = kind == .or ? "||" : "&&"
    return FlowExpression("\(a.operand(level)) \(sign) \(b.operand(kind == .or ? .and : .relation))", .bool, level)
  }

  private func equality(
    _ left: JinjaExpression, _ isEqual: Bool, _ right: JinjaExpression
  ) throws(JinjaError) -> FlowExpression {
    var (first, second) = (try translate(left), try translate(right))
    if first.kind == .null || first.isLiteral, second.isLookUp { swap(&first, &second) }
    let sign = isEqual ? "==" : "!="
    if second.kind == .null { return FlowExpression("\(first.operand(.sum)) \(sign) null", .bool, .relation) }
    if let (first, second) = constants(first, second) {
      return FlowExpression((first == second) == isEqual ? "true" : "false", .bool)
    }
    // A text is never equal to a number: the types must be known to differ only where the checker knows them.
    if first.mayBeMissing || second.mayBeMissing {
      if second.isLiteral {
        let fallback = second.fallback
        return FlowExpression("coalesce(\(first.text), \(fallback)) \(sign) \(second.operand(.sum))", .bool, .relation)
      }
      let (a, b) = (
        first.mayBeMissing ? "coalesce(\(first.text), '')" : first.operand(.sum),
        second.mayBeMissing ? "coalesce(\(second.text), '')" : second.operand(.sum)
      )
      return FlowExpression("\(a) \(sign) \(b)", .bool, .relation)
    }
    return FlowExpression("\(first.operand(.sum)) \(sign) \(second.operand(.sum))", .bool, .relation)
  }

  private func constants(_ first: FlowExpression, _ second: FlowExpression) -> (String, String)? {
    first.isLiteral && second.isLiteral ? (first.text, second.text) : nil
  }

  private func comparable(
    _ left: FlowExpression, _ right: FlowExpression
  ) throws(JinjaError) -> (FlowExpression, FlowExpression) {
    func fit(_ value: FlowExpression, _ other: FlowExpression) -> FlowExpression {
      guard value.mayBeMissing else { return value }
      let zero =
        switch other.kind {
        case .string: "''"
        case .timestamp: "timestamp('1970-01-01')"
        default: other.mayBeMissing ? "''" : "0"
        }
      return FlowExpression("coalesce(\(value.text), \(zero))", value.kind)
    }
    if left.kind == .timestamp, right.kind == .string || right.kind == .any {
      return (left, FlowExpression("timestamp(\(right.asText.text))", .timestamp))
    }
    if right.kind == .timestamp, left.kind == .string || left.kind == .any {
      return (FlowExpression("timestamp(\(left.asText.text))", .timestamp), right)
    }
    return (fit(left, right), fit(right, left))
  }

  func contains(_ element: FlowExpression, in list: FlowExpression) throws(JinjaError) -> FlowExpression {
    let element = element.mayBeMissing ? FlowExpression("coalesce(\(element.text), '')", element.kind) : element
    if list.kind == .string || (list.kind == .any && element.kind == .string) && list.text.hasPrefix("response_text") {
      return FlowExpression("contains(\(list.asText.text), \(element.asText.text))", .bool)
    }
    if list.kind == .any, element.kind == .string {
      return FlowExpression("contains(coalesce(\(list.text), ''), \(element.text))", .bool)
    }
    let subject = list.mayBeMissing ? "coalesce(\(list.text), [])" : list.operand(.sum)
    return FlowExpression("\(element.operand(.sum)) in \(subject)", .bool, .relation)
  }

  private func sum(_ left: FlowExpression, _ right: FlowExpression) throws(JinjaError) -> FlowExpression {
    if left.kind == .string || right.kind == .string {
      let (first, second) = (left.asText, right.asText)
      if first.text == "''" { return second }
      if second.text == "''" { return first }
      return FlowExpression("\(first.operand(.sum)) + \(second.operand(.product))", .string, .sum)
    }
    if left.kind == .duration || right.kind == .duration, let months = try calendar(left, right, sign: 1) {
      return months
    }
    let kind: FlowExpression.Kind =
      left.kind == .timestamp || right.kind == .timestamp
      ? .timestamp : left.kind == right.kind ? left.kind : left.kind == .any || right.kind == .any ? .any : .number
    let (first, second) = (try filledNumber(left), try filledNumber(right))
    return FlowExpression("\(first.operand(.sum)) + \(second.operand(.product))", kind, .sum)
  }

  private func filledNumber(_ value: FlowExpression) throws(JinjaError) -> FlowExpression {
    value.mayBeMissing ? FlowExpression("coalesce(\(value.text), 0)", value.kind) : value
  }

  private func number(_ value: FlowExpression) throws(JinjaError) -> FlowExpression {
    guard value.kind != .string else { throw JinjaError("arithmetic on texts has no counterpart") }
    return try filledNumber(value)
  }

  private func difference(_ left: JinjaExpression, _ right: JinjaExpression) throws(JinjaError) -> FlowExpression {
    let (first, second) = (try translate(left), try translate(right))
    if second.kind == .duration, let months = try calendar(first, second, sign: -1) { return months }
    let kind: FlowExpression.Kind =
      switch (first.kind, second.kind) {
      case (.timestamp, .timestamp): .duration
      case (.timestamp, _): .timestamp
      case (.integer, .integer): .integer
      default: first.kind == second.kind ? first.kind : .any
      }
    return FlowExpression(
      "\(try filledNumber(first).operand(.sum)) - \(try filledNumber(second).operand(.product))", kind, .sum)
  }

  /// An instant and a duration of months or years, which have no fixed length.
  private func calendar(
    _ left: FlowExpression, _ right: FlowExpression, sign: Int
  ) throws(JinjaError) -> FlowExpression? {
    guard right.text.hasPrefix("months("), let count = Int(right.text.dropFirst(7).dropLast()) else { return nil }
    guard left.kind == .timestamp else { throw JinjaError("a duration of months has no counterpart here") }
    return FlowExpression("add(\(left.text), \(sign * count), 'month')", .timestamp)
  }
}

extension FlowExpression {
  /// Whether the expression is a literal.
  var isLiteral: Bool {
    guard level == .value, !isLookUp else { return false }
    return kind == .string && text.hasPrefix("'") && text.hasSuffix("'")
      || (kind == .integer || kind == .number) && text.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2E }
      || kind == .bool && (text == "true" || text == "false")
  }

  /// A literal of the same kind that is not equal to this literal.
  var fallback: String {
    switch kind {
    case .string: text == "''" ? "'-'" : "''"
    case .bool: text == "true" ? "false" : "true"
    default: text == "0" ? "-1" : "0"
    }
  }
}
