internal import JSONSyntax
internal import SourceDiagnostics

extension Checker {
  mutating func called(_ call: SyntaxNode.Call) -> ExpressionType {
    if let macro = Macro(rawValue: call.name) { return each(macro, call) }
    guard let function = FunctionTable.function(call.name) else {
      for argument in call.arguments { _ = type(of: argument) }
      return unknown(call)
    }
    guard function.takes(call.arguments.count) else {
      for argument in call.arguments { _ = type(of: argument) }
      report(
        .argumentCount, "\(call.name) does not take \(Self.counted(call.arguments.count))", at: call.range,
        help: "its signature is \(function.signatures.map { $0.text(call.name) }.joined(separator: " or "))")
      return .dynamic
    }
    switch call.name {
    case "has": return has(call)
    case "coalesce": return coalesce(call)
    case "optional": return optional(call)
    case "type":
      _ = found(call.arguments[0])
      return .string
    default: break
    }
    literal(of: function, call)
    let types = call.arguments.map { node in function.name == "to_json" ? type(of: node) : needed(node) }
    return result(of: function, call, types)
  }

  private mutating func has(_ call: SyntaxNode.Call) -> ExpressionType {
    switch call.arguments[0].ungrouped {
    case .member(let target, _, _), .index(let target, _, _):
      // Every part of the path before the last may be missing, too.
      let facts = Set((Self.path(target) ?? []).indices.map { Array((Self.path(target) ?? [])[...$0]) })
      _ = assuming(facts) { $0.type(of: call.arguments[0]) }
    case .name:
      _ = type(of: call.arguments[0])
    default:
      _ = type(of: call.arguments[0])
      report(
        .wrongType, "'has' takes a look-up such as record.name", at: call.arguments[0].range,
        help: "to test another value, write … != null")
    }
    return .bool
  }

  private mutating func coalesce(_ call: SyntaxNode.Call) -> ExpressionType {
    var joined: ExpressionType?
    for (position, argument) in call.arguments.enumerated() {
      let isLast = position == call.arguments.count - 1
      // `coalesce` also handles a missing value in the middle of the path of a lookup.
      let path = Self.path(argument) ?? []
      let facts: Set<[String]> = isLast ? [] : Set(path.indices.dropLast().map { Array(path[...$0]) })
      let found = assuming(facts) { $0.type(of: argument) }
      let type = isLast ? found : found.unwrapped
      guard let before = joined else {
        joined = type
        continue
      }
      if !isLast, found == .null { continue }
      if before == .null {
        joined = type
      } else if let both = ExpressionType.join(before, type) {
        joined = both
      } else {
        report(
          .wrongType, "the default has another type: \(Self.article(type)), not \(Self.article(before))",
          at: argument.range, help: Self.conversionHelp(before, type))
      }
    }
    return joined ?? .dynamic
  }

  /// The type of an argument that is a lookup; a value in the middle of its path may be missing.
  private mutating func found(_ argument: SyntaxNode) -> ExpressionType {
    let path = Self.path(argument) ?? []
    return assuming(Set(path.indices.dropLast().map { Array(path[...$0]) })) { $0.type(of: argument) }
  }

  /// The type of `optional(…)`, which is allowed only as the whole expression.
  private mutating func optional(_ call: SyntaxNode.Call) -> ExpressionType {
    let type = found(call.arguments[0])
    if call.range != whole {
      report(
        .wrongType, "optional(…) is only allowed as the whole expression", at: call.range,
        help: "write {{ optional(…) }} around the whole expression, or give a default with coalesce(…, …)")
      return type.unwrapped
    }
    return type == .null ? .null : .optional(type.unwrapped)
  }

  private mutating func each(_ macro: Macro, _ call: SyntaxNode.Call) -> ExpressionType {
    guard call.arguments.count == 3, case .name(let variable, let range) = call.arguments[1] else {
      for argument in call.arguments.prefix(1) { _ = type(of: argument) }
      report(
        .argumentCount, "\(call.name) takes a list, a name for its elements and an expression", at: call.range,
        help: "write list.\(call.name)(x, …) with x in the expression")
      return .dynamic
    }
    let element: ExpressionType
    switch needed(call.arguments[0]) {
    case .dynamic: element = .dynamic
    case .list(let type): element = type
    case .map, .object: element = .string
    case let other:
      report(.wrongType, "\(call.name) takes a list, not \(Self.article(other))", at: call.arguments[0].range)
      element = .dynamic
    }
    if isKnown(variable) {
      report(.hiddenName, "'\(variable)' hides another name", at: range, help: "choose another name")
    }
    return with(local: ExpressionType.Member(variable, element)) { checker in
      switch macro {
      case .map:
        return .list(checker.needed(call.arguments[2]))
      case .filter:
        checker.condition(call.arguments[2], of: "filter")
        return .list(element)
      case .all, .exists:
        checker.condition(call.arguments[2], of: call.name)
        return .bool
      case .sort:
        let key = checker.needed(call.arguments[2])
        if !key.isOrdered {
          checker.report(
            .wrongType, "sort needs a number, text, timestamp or duration for each element, not \(Self.article(key))",
            at: call.arguments[2].range)
        }
        return .list(element)
      case .unique:
        _ = checker.needed(call.arguments[2])
        return .list(element)
      }
    }
  }

  // MARK: - Functions

  private mutating func unknown(_ call: SyntaxNode.Call) -> ExpressionType {
    let known = FunctionTable.functions.map(\.name) + Macro.allCases.map(\.rawValue)
    let suggestion =
      FunctionTable.functions.first { $0.otherNames.contains(call.name) }?.name
      ?? NearMiss.suggestion(for: call.name, in: known)
    report(
      .unknownFunction, "there is no function '\(call.name)'", at: call.nameRange, suggestion: suggestion,
      help: suggestion.map { "did you mean '\($0)'?" } ?? ForeignSyntax.prefixes[call.name.lowercased()]?.help
        ?? "functions are \(known.joined(separator: ", "))")
    return .dynamic
  }

  private mutating func result(
    of function: Function, _ call: SyntaxNode.Call, _ types: [ExpressionType]
  ) -> ExpressionType {
    let fitting = function.signatures.filter { $0.takes(types.count) }
    var results: [ExpressionType] = []
    for signature in fitting {
      if let result = signature.result(types) { results.append(result) }
    }
    guard let first = results.first else {
      report(function, fitting, call, types)
      return .dynamic
    }
    // Only with unknown types can more than one signature apply.
    if types.allSatisfy(\.isKnown) { return first }
    return results.dropFirst().reduce(first) { $0 == $1 ? $0 : .dynamic }
  }

  /// Reports the first argument that matches no signature.
  private mutating func report(
    _ function: Function, _ signatures: [Signature], _ call: SyntaxNode.Call, _ types: [ExpressionType]
  ) {
    let help = "its signature is \(function.signatures.map { $0.text(function.name) }.joined(separator: " or "))"
    let position =
      types.indices.first { position in
        !signatures.contains { $0.result(Array(types[...position]), isPrefix: true) != nil }
      }
      ?? 0
    var expected: [String] = []
    for signature in signatures {
      // Only signatures that match all earlier arguments count.
      guard signature.result(Array(types[..<position]), isPrefix: true) != nil,
        let parameter = signature.parameter(position), !expected.contains("\(parameter.shape)")
      else { continue }
      expected.append("\(parameter.shape)")
    }
    if expected == ["T"] || expected.isEmpty { expected = ["the same type as before"] }
    report(
      .wrongType,
      "\(function.name) takes \(expected.joined(separator: " or ")) here, not \(Self.article(types[position]))",
      at: call.arguments[position].range, help: help)
  }

  private mutating func literal(of function: Function, _ call: SyntaxNode.Call) {
    guard let literal = function.literal, call.arguments.indices.contains(literal.argument) else { return }
    let node = call.arguments[literal.argument]
    guard let text = node.literalText else { return }
    switch literal.kind {
    case .expression:
      do throws(IRegexpError) {
        _ = try IRegexp(parsing: text, capturing: true)
      } catch {
        report(.badArgument, error.message, at: node.range)
      }
    case .form:
      let isKnown = function.name == "format" ? TimeForm(writing: text) != nil : TimeForm(text) != nil
      if !isKnown {
        report(.badArgument, "'\(text)' is not a time format", at: node.range, help: "write \(TimeForm.expected)")
      }
    case .unit:
      if CalendarUnit(text) == nil {
        let suggestion = NearMiss.suggestion(for: text, in: CalendarUnit.allCases.map(\.rawValue))
        report(
          .badArgument, "'\(text)' is not a unit", at: node.range, suggestion: suggestion.map { "'\($0)'" },
          help: "units are \(CalendarUnit.expected)")
      }
    case .duration:
      if DurationValue.parse(text) == nil {
        report(
          .badArgument, "'\(text)' is not a duration", at: node.range,
          help: "write 30s, 5m, 1h30m, 7d or PT30S, P7D")
      }
    case .encoding:
      encoding(DigestEncoding.self, node)
      if call.arguments.indices.contains(literal.argument + 1) {
        encoding(KeyEncoding.self, call.arguments[literal.argument + 1])
      }
    }
  }

  private mutating func encoding<Encoding: DigestArgument>(_ encoding: Encoding.Type, _ node: SyntaxNode) {
    guard let text = node.literalText, Encoding(rawValue: text) == nil else { return }
    let suggestion = NearMiss.suggestion(for: text, in: Encoding.allCases.map(\.rawValue))
    report(
      .badArgument, "'\(text)' is not an \(Encoding.noun)", at: node.range, suggestion: suggestion.map { "'\($0)'" },
      help: "write \(Encoding.expected)")
  }

  private static func counted(_ count: Int) -> String {
    switch count {
    case 0: "no arguments"
    case 1: "1 argument"
    default: "\(count) arguments"
    }
  }
}
