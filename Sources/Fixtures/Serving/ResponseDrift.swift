internal import JSONSyntax

/// Compares two recordings of the same requests: statuses, fields, types and, if wanted, values.
package enum ResponseDrift {
  /// Returns the changes, one per line, such as `GET {{base}}/orders  $.data[*].vat  new: string`.
  ///
  /// A change that occurs on all pages of a list, or for several parents, is one line with the first of these requests.
  package static func changes(
    from old: Cassette, to new: Cassette, matching: RequestMatching = RequestMatching(), values: Bool
  ) throws(FixtureError) -> [String] {
    var found: [(request: RecordedRequest, change: String)] = []
    func key(_ entry: Cassette.Entry) -> String { "\(matching.key(entry.request)) #\(entry.occurrence)" }
    let fresh = Dictionary(new.entries.map { (key($0), $0) }) { first, _ in first }
    let known = Set(old.entries.map(key))
    for entry in old.entries {
      guard let other = fresh[key(entry)] else {
        found.append((entry.request, "is no longer requested"))
        continue
      }
      found += try changes(entry.outcome, other.outcome, values).map { (entry.request, $0) }
    }
    for entry in new.entries where !known.contains(key(entry)) {
      found.append((entry.request, "is requested, but was not recorded"))
    }
    return lines(found)
  }

  private static func lines(_ found: [(request: RecordedRequest, change: String)]) -> [String] {
    struct Group: Hashable {
      let list: String
      let change: String
    }
    var order: [Group] = []
    var requests: [Group: [String]] = [:]
    for (request, change) in found {
      let group = Group(list: list(of: request), change: change)
      if requests[group] == nil { order.append(group) }
      if requests[group]?.contains(request.line) != true { requests[group, default: []].append(request.line) }
    }
    return order.map { group in
      let lines = requests[group] ?? []
      let more = lines.count > 1 ? " and \(lines.count - 1) more like it" : ""
      return "\(lines.first ?? "")\(more)  \(group.change)"
    }
  }

  /// The list to which a request belongs: its method and path, in which numbers and ids are left out.
  private static func list(of request: RecordedRequest) -> String {
    let path = request.url.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    let parts = path.map { part in part.contains { $0.isNumber } ? "…" : String(part) }
    return "\(request.method) \(parts.joined(separator: "/"))"
  }

  private static func changes(_ old: Cassette.Outcome, _ new: Cassette.Outcome, _ values: Bool) throws(FixtureError)
    -> [String]
  {
    switch (old, new) {
    case (.failure(let kind, _), .failure(let other, _)): return kind == other ? [] : ["failure \(kind) -> \(other)"]
    case (.failure(let kind, _), .response(let response)): return ["failure \(kind) -> status \(response.status)"]
    case (.response(let response), .failure(let kind, _)): return ["status \(response.status) -> failure \(kind)"]
    case (.response(let before), .response(let after)):
      var lines: [String] = []
      if before.status != after.status { lines.append("status \(before.status) -> \(after.status)") }
      let (left, right) = (before["Content-Type"] ?? "none", after["Content-Type"] ?? "none")
      if left != right { lines.append("Content-Type \(left) -> \(right)") }
      let (body, other) = (try before.body.bytes, try after.body.bytes)
      guard let old = try? JSONValue(parsing: body), let new = try? JSONValue(parsing: other) else {
        if values, body != other {
          lines.append("content of \(body.count) -> \(other.count) bytes")
        }
        return lines
      }
      lines += ResponseShape(old).changes(to: ResponseShape(new))
      if values {
        lines += JSONDifference.between(old, new).filter { $0.expected?.kindName == $0.actual?.kindName }.map {
          let (old, new) = ($0.expected.map(JSONDifference.shown) ?? "", $0.actual.map(JSONDifference.shown) ?? "")
          return "\($0.path)  \(old) -> \(new)"
        }
      }
      return lines
    }
  }
}

/// The fields of a response and their types, without values and without the number of records.
struct ResponseShape {
  /// The types by path; all elements of a list share one path.
  private var types: [String: Set<String>] = [:]
  /// The number of values at each path, and, under the path with `{}` appended, the number of objects there.
  private var counts: [String: Int] = [:]
  private var parents: [String: String] = [:]
  private var order: [String] = []

  init(_ value: JSONValue) { add(value, "$") }

  private mutating func add(_ value: JSONValue, _ path: String) {
    if types[path] == nil { order.append(path) }
    types[path, default: []].insert(value.kindName)
    counts[path, default: 0] += 1
    switch value {
    case .array(let elements): for element in elements { add(element, path + "[*]") }
    case .object(let object):
      counts[path + "{}", default: 0] += 1
      for member in object.members {
        let inner = JSONPath(singular: [.name(member.name)]).text.dropFirst()
        parents[path + inner] = path
        add(member.value, path + inner)
      }
    default: break
    }
  }

  /// Whether some of the objects lack the field.
  private func isOptional(_ path: String) -> Bool {
    parents[path].map { counts[path, default: 0] < counts[$0 + "{}", default: 0] } ?? false
  }

  func changes(to other: ResponseShape) -> [String] {
    var lines: [String] = []
    for path in order {
      guard let types = types[path] else { continue }
      guard let new = other.types[path] else {
        // If the parent is gone too, only the parent is reported. An empty list shows nothing about its elements.
        if let parent = parents[path] ?? Self.list(path), other.types[parent] != nil, !path.hasSuffix("[*]"),
          other.counts[parent + "{}", default: 0] > 0
        {
          lines.append("\(path)  gone: \(Self.text(types))")
        }
        continue
      }
      if types != new {
        lines.append("\(path)  \(Self.text(types)) -> \(Self.text(new))")
      } else if isOptional(path) != other.isOptional(path) {
        lines.append(
          "\(path)  " + (other.isOptional(path) ? "is now missing in some objects" : "is now in all objects"))
      }
    }
    for path in other.order where types[path] == nil {
      guard let new = other.types[path], let parent = other.parents[path], types[parent] != nil,
        counts[parent + "{}", default: 0] > 0
      else { continue }
      lines.append("\(path)  new: \(Self.text(new))")
    }
    return lines
  }

  private static func list(_ path: String) -> String? { path.hasSuffix("[*]") ? String(path.dropLast(3)) : nil }
  private static func text(_ types: Set<String>) -> String { types.sorted().joined(separator: " or ") }
}
