internal import Expressions
package import FlowModel
internal import JSONSyntax
package import ReactorCore

extension FieldGroups {
  /// The maximum number of groups, which is the number of requests for one page.
  package static let maximumCount = 1000

  /// The names of the fields, if all are known before the flow runs; else nil.
  package var fixedNames: (names: [String], always: [String])? {
    guard let names = Self.texts(names), let always = Self.texts(always) else { return nil }
    return (names, always)
  }

  /// The key as text, for messages: `$.id`, or several paths with commas.
  var keyText: String { key.map { JSONPath(singular: $0).text }.joined(separator: ", ") }

  /// A copy without limits, which has all names in a single group.
  var unlimited: FieldGroups {
    var groups = self
    (groups.maxNames, groups.maxBytes) = (nil, nil)
    return groups
  }

  private static func texts(_ templates: [Template]?) -> [String]? {
    let texts = (templates ?? []).map(\.constantText)
    return texts.contains(nil) ? nil : texts.compactMap { $0 }
  }

  /// The groups for the values of a scope, at least one.
  ///
  /// - Throws: `.parser` if a name has no value, or if the names cannot be divided.
  func groups(in scope: EvaluationScope) throws(ReactorError) -> [[String]] {
    if let (names, always) = fixedNames { return try groups(of: names, always: always) }
    var (names, always): ([String], [String]) = ([], [])
    for name in self.names ?? [] { names += try ExpressionTemplate(name).texts(in: scope) }
    for name in self.always ?? [] { always += try ExpressionTemplate(name).texts(in: scope) }
    return try groups(of: names, always: always)
  }

  /// Divides names into groups, in their order. A repeated name is used once.
  ///
  /// - Parameter always: the names that are in each group, before the others
  /// - Returns: at least one group
  /// - Throws: `.parser` if a name does not fit into a group, or if there are too many groups.
  package func groups(of names: [String], always: [String]) throws(ReactorError) -> [[String]] {
    var seen: Set<ExactName> = []
    let always = Group(always.filter { seen.insert(ExactName($0)).inserted })
    guard fits(always) else { throw overfull(always) }
    var groups: [Group] = []
    var current = always
    for name in names where seen.insert(ExactName(name)).inserted {
      var next = current.adding(name)
      if !fits(next), current.names.count > always.names.count {
        groups.append(current)
        next = always.adding(name)
      }
      guard fits(next) else { throw overfull(next, name: name) }
      current = next
    }
    groups.append(current)
    guard groups.count <= Self.maximumCount else {
      throw Self.problem(
        "the names make \(groups.count) groups, but at most \(Self.maximumCount) requests are allowed for a page",
        help: "increase 'max' or 'max_bytes', or list fewer names")
    }
    return groups.map(\.names)
  }

  /// The names of one group, with the length of their text.
  private struct Group {
    var names: [String]
    /// The length of the names with one character between each two, in bytes.
    var length: Int

    init(_ names: [String]) {
      self.names = names
      length = names.reduce(0) { $0 + $1.utf8.count } + max(names.count - 1, 0)
    }

    func adding(_ name: String) -> Group {
      var group = self
      group.length += name.utf8.count + (names.isEmpty ? 0 : 1)
      group.names.append(name)
      return group
    }
  }

  private func fits(_ group: Group) -> Bool {
    group.names.count <= maxNames ?? .max && group.length <= maxBytes ?? .max
  }

  /// The error for a group that is too large, although it has at most one name besides those that every group has.
  private func overfull(_ group: Group, name: String? = nil) -> ReactorError {
    let words = name.map { "the name '\($0.prefix(100))'" } ?? "the names of 'key'"
    let besides = name != nil && group.names.count > 1 ? " beside the names of 'key'" : ""
    if let maxNames, group.names.count > maxNames {
      return Self.problem(
        "\(words) \(name == nil ? "do" : "does") not fit into a request\(besides): 'max' is \(maxNames)",
        help: "increase 'max', or list fewer names in 'key'")
    }
    return Self.problem(
      "\(words) \(name == nil ? "do" : "does") not fit into a request\(besides): \(group.length) bytes, "
        + "and 'max_bytes' is \(maxBytes ?? 0)",
      help: "increase 'max_bytes', or leave the name out")
  }

  private static func problem(_ message: String, help: String) -> ReactorError {
    var error = ReactorError.parser(message)
    error.key = "field_groups"
    error.help = help
    return error
  }
}
