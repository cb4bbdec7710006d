internal import Expressions
internal import FlowTerms
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// What one page asks for beyond the flow's own request.
struct PageStep: Sendable, Equatable {
  /// Which page it is, from 1.
  var number: Int
  /// Values and where they go.
  var changes: [Change] = []
  /// A URL to ask instead of the flow's own.
  var target: String?
  /// What templates see as `page`: the page's number as the server counts, the offset, the token.
  var reported: Int?
  var offset = 0
  var token: JSONValue?

  /// What templates see as `page`.
  var value: ExpressionValue {
    .map([
      ExpressionMember("number", .int(Int64(reported ?? number))), ExpressionMember("offset", .int(Int64(offset))),
      ExpressionMember("token", token.map { ExpressionValue($0) } ?? .null),
    ])
  }

  struct Change: Sendable, Equatable {
    var location: PageTerms.Location
    var value: JSONValue
  }

  /// The flow's request, changed for this page.
  func resource(from resource: Resource) -> Resource {
    var resource = resource
    if let target {
      resource.target = target
      resource.query = []
    }
    for change in changes {
      switch change.location {
      case .query(let name): resource.query.replace(name, with: change.value.plainText)
      case .header(let name): resource.headers[name] = change.value.plainText
      case .body(let steps):
        // A body that is not JSON was refused when the flow was loaded.
        guard let body = resource.body, let json = try? JSONValue(parsing: body) else { continue }
        resource.body = JSONWriter.bytes(json.setting(steps[...], to: change.value))
      }
    }
    return resource
  }
}

extension [Resource.QueryItem] {
  /// Sets the first parameter of a name and drops further ones, or adds it at the end.
  mutating func replace(_ name: String, with value: String) {
    let item = Resource.QueryItem(name, value)
    guard let index = firstIndex(where: { $0.name == name }) else { return append(item) }
    self[index] = item
    let rest = indices.dropFirst(index + 1).filter { self[$0].name == name }
    for index in rest.reversed() { remove(at: index) }
  }
}

extension JSONValue {
  /// A string without quotes, anything else as JSON.
  var plainText: String { string ?? String(decoding: JSONWriter.bytes(self), as: UTF8.self) }

  /// Whether a response that holds it means that nothing follows: null, false, 0 and an empty text.
  var meansNothing: Bool {
    switch self {
    case .null, .bool(false): true
    case .string(let text): text.isEmpty
    case .number(let number): number.double == 0
    default: false
    }
  }
}
