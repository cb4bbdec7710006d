internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// The request for one page, as changes to the flow's own request.
struct PageStep: Sendable, Equatable {
  /// The page number, counted from 1.
  var number: Int
  /// Values to set in the request, with their locations.
  var changes: [Change] = []
  /// A URL to request instead of the flow's own URL.
  var target: String?
  /// The page number as the server counts it, which templates use as `page.number`; nil to use `number`.
  var reported: Int?
  var offset = 0
  var token: JSONValue?

  /// The value of the name `page` in templates.
  var value: ExpressionValue {
    .map([
      ExpressionMember("number", .int(Int64(reported ?? number))), ExpressionMember("offset", .int(Int64(offset))),
      ExpressionMember("token", token.map { ExpressionValue($0) } ?? .null),
    ])
  }

  struct Change: Sendable, Equatable {
    var location: Pages.Location
    var value: JSONValue
  }

  /// The flow's request with the changes for this page.
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
        // The loader has already refused a flow whose body is not JSON.
        guard let body = resource.body, let json = try? JSONValue(parsing: body) else { continue }
        resource.body = JSONWriter.bytes(json.setting(steps[...], to: change.value))
      }
    }
    return resource
  }
}

extension [Resource.QueryItem] {
  /// Sets the first parameter with a name and removes further ones; appends the parameter if there is none.
  mutating func replace(_ name: String, with value: String) {
    guard let index = firstIndex(where: { $0.name == name }) else { return append(Resource.QueryItem(name, value)) }
    self[index].value = value
    let rest = indices.dropFirst(index + 1).filter { self[$0].name == name }
    for index in rest.reversed() { remove(at: index) }
  }
}

extension JSONValue {
  /// Whether the value means "no next page": null, false, 0 or an empty string.
  var meansNothing: Bool {
    switch self {
    case .null, .bool(false): true
    case .string(let text): text.isEmpty
    case .number(let number): number.double == 0
    default: false
    }
  }
}
