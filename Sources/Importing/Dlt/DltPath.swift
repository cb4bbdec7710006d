/// A path into a JSON value, as dlt writes it: `a.b`, `$.a.b` or `a[0].b`.
struct DltPath {
  /// A step of a path.
  enum Step: Hashable {
    case name(String)
    /// The element with this index; a negative index counts from the end.
    case index(Int)
  }

  /// The path as a JSONPath.
  let text: String
  /// The steps; nil for a path that may lead to several values, or that is invalid.
  let steps: [Step]?

  init(_ text: String) {
    steps = Self.steps(text)
    if let steps {
      self.text = Self.text(of: steps)
    } else {
      self.text = text.hasPrefix("$") ? text : text.hasPrefix("[") ? "$" + text : "$." + text
    }
  }

  /// The steps as texts, to make the names of fields and of members in a body from them.
  var names: [String] {
    guard let steps else { return [text] }
    return steps.map { step in
      switch step {
      case .name(let name): name
      case .index(let index): "\(index)"
      }
    }
  }

  /// Whether the path leads to the elements of a list, such as `a[*]`, `a[0:5]` or `a[?(@.b > 1)]`.
  var endsInElements: Bool {
    guard text.hasSuffix("]"), let open = text.lastIndex(of: "[") else { return false }
    let inner = text[text.index(after: open)...].dropLast()
    return inner == "*" || inner.contains(":") || inner.hasPrefix("?") || text.contains("[?")
  }

  /// The JSONPath of steps.
  static func text(of steps: some Sequence<Step>) -> String {
    steps.reduce("$") { path, step in
      switch step {
      case .index(let index): path + "[\(index)]"
      case .name(let name): path + OutputText.path([name]).dropFirst()
      }
    }
  }

  /// The expression for the value at the path; nil for a path to several values, and for an index that counts from the
  /// end.
  func look(in base: FlowExpression) -> FlowExpression? {
    guard let steps else { return nil }
    var result = base
    for step in steps {
      switch step {
      case .name(let name): result = result.member(name)
      case .index(let index):
        guard index >= 0 else { return nil }
        result = .lookUp("\(result.operand(.value))[\(index)]")
      }
    }
    return result
  }

  /// The part of the path inside of the last record of a page; nil for a path that does not lead there.
  ///
  /// - Parameter records: the path of the records
  func inLastRecord(of records: DltPath) -> String? {
    guard let outer = records.listSteps, let rest = inside(outer), rest.first == .index(-1) else { return nil }
    return Self.text(of: rest.dropFirst())
  }

  /// Whether the path leads into the records, which are not available to expressions on the response.
  func isIn(_ records: DltPath) -> Bool {
    guard let outer = records.listSteps else { return false }
    return steps == nil ? text.hasPrefix(Self.text(of: outer) + "[") : inside(outer) != nil
  }

  /// The steps that follow the steps of an outer path; nil if this path does not lead into an element of the list at
  /// the outer path.
  private func inside(_ outer: [Step]) -> ArraySlice<Step>? {
    guard let steps, steps.count > outer.count, steps.starts(with: outer) else { return nil }
    let rest = steps[outer.count...]
    // If the response itself is the list, it has no other members.
    if case .index? = rest.first { return rest }
    return nil
  }

  /// The steps to the list whose elements are the records, if this is the path of the records; nil when they are
  /// unknown.
  private var listSteps: [Step]? {
    if let steps { return steps }
    guard text.hasSuffix("[*]") else { return nil }
    return DltPath(String(text.dropLast(3))).steps
  }

  private static func steps(_ text: String) -> [Step]? {
    var rest = text[...]
    if rest.hasPrefix("$") { rest.removeFirst() }
    var steps: [Step] = []
    var isFirst = true
    while let character = rest.first {
      if character == "." || isFirst && character != "[" {
        if character == "." { rest.removeFirst() }
        isFirst = false
        // `a.[0]` is `a[0]`.
        if rest.first == "[" { continue }
        guard let name = self.name(&rest) else { return nil }
        steps.append(.name(name))
        continue
      }
      isFirst = false
      guard character == "[", let close = rest.firstIndex(of: "]") else { return nil }
      var inner = rest[rest.index(after: rest.startIndex)..<close]
      if let index = Int(inner) {
        steps.append(.index(index))
        rest = rest[close...].dropFirst()
      } else {
        inner = rest.dropFirst()
        guard let quote = inner.first, "'\"".contains(quote), let name = self.name(&inner), inner.first == "]" else {
          return nil
        }
        steps.append(.name(name))
        rest = inner.dropFirst()
      }
    }
    return steps
  }

  /// Reads a name, in quotes or without them.
  private static func name(_ rest: inout Substring) -> String? {
    if let quote = rest.first, quote == "'" || quote == "\"" {
      let inner = rest.dropFirst()
      guard let end = inner.firstIndex(of: quote), end > inner.startIndex else { return nil }
      rest = inner[end...].dropFirst()
      return String(inner[..<end])
    }
    let name = rest.prefix { $0 != "." && $0 != "[" }
    guard !name.isEmpty, !name.contains(where: { "*?()|&,:!=<>'\"`".contains($0) }) else { return nil }
    rest = rest[name.endIndex...]
    return String(name)
  }
}
