package import Expressions
internal import Authorization
internal import JSONSyntax
internal import ReactorCore
internal import Records
package import WebSyntax

/// Builds a request from values that are known only while a flow runs.
///
/// Such values are a page, a parent's record and the bounds of a cursor.
package struct RequestProgram: Sendable {
  /// A part of the path.
  package enum PathPart: Sendable {
    /// Literal text.
    case text(String)
    /// Text with braces, filled in from the parameters (RFC 6570).
    case braces(URITemplate)
    /// A template whose value becomes part of one path segment.
    case value(ExpressionTemplate)
  }

  /// A parameter or a header.
  package struct Parameter: Sendable {
    package let name: String
    package let value: Value

    /// The value of a parameter.
    package enum Value: Sendable {
      /// Values that are known before the flow runs. A parameter with several values is repeated.
      case texts([String])
      /// A template that is evaluated for each request.
      case template(ExpressionTemplate)
    }

    package init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }

    fileprivate func texts(in scope: EvaluationScope) throws(ReactorError) -> [String] { try value.texts(in: scope) }
  }

  /// The content of the body.
  package enum Body: Sendable {
    case json(ExpressionDocument)
    case form([Parameter])
    case text(ExpressionTemplate)
    indirect case records(SentRecords)
  }

  package var path: [PathPart] = []
  /// The template of the whole URL, which is used instead of the path; nil to use the path.
  package var url: ExpressionTemplate?
  /// The values for the braces in the path.
  package var params: [Parameter] = []
  package var query: [Parameter] = []
  /// The names of query parameters whose values are sent as written.
  package var unescaped: Set<String> = []
  package var headers: [(name: String, value: ExpressionTemplate)] = []
  package var body: Body?
  /// The header with the idempotency key, by which the server recognizes a repeated request. A nil key is computed.
  package var idempotency: (header: String, key: ExpressionTemplate?)?
  /// The flow's id, which is part of a computed key.
  package let flow: String
  /// The names that the program uses from the scope.
  package var names: Set<String> = []

  /// The query parameters and headers that a Swift caller adds to each request.
  struct Additions: Sendable {
    var query: [Resource.QueryItem] = []
    var headers: [Headers.Field] = []
  }

  var added = Additions()

  package init(flow: String) { self.flow = flow }

  /// The records to send; nil when the body has no records.
  var sentRecords: SentRecords? { if case .records(let records)? = body { records } else { nil } }

  /// Builds the request from the values of a scope.
  ///
  /// - Parameters:
  ///   - plan: the parts that all requests of the flow have in common
  ///   - item: the records that the request is for, when they are part of the request
  /// - Throws: `.parser` with the template that has no value, or the reason why the request cannot be sent.
  func resource(
    of plan: RequestPlan, in scope: EvaluationScope, for item: RequestItem?
  ) throws(ReactorError) -> Resource {
    guard names.contains("secrets") else { return try filled(plan, in: scope, for: item) }
    let derived = DerivedSecrets()
    var scope = scope
    scope.derivedSecrets = derived
    var resource = try filled(plan, in: scope, for: item)
    resource.derivedSecrets = derived.all
    return resource
  }

  private func filled(
    _ plan: RequestPlan, in scope: EvaluationScope, for item: RequestItem?
  ) throws(ReactorError) -> Resource {
    let (path, pathQuery) = try expandedPath(in: scope)
    var query = pathQuery
    for parameter in self.query {
      query += try parameter.texts(in: scope).map {
        Resource.QueryItem(parameter.name, $0, isUnescaped: unescaped.contains(parameter.name))
      }
    }
    var fields: [Headers.Field] = []
    for header in headers {
      if let text = try header.value.textIfPresent(in: scope) { fields.append(Headers.Field(header.name, text)) }
    }
    var headers = Headers(fields)
    let body = try body?.content(in: scope, for: item)
    if let body, headers["Content-Type"] == nil { headers["Content-Type"] = body.type }
    for field in added.headers { headers[field.name] = field.value }
    query += added.query
    if headers["Accept"] == nil { headers.fields.append(Headers.Field("Accept", "application/json")) }
    var resource = Resource(
      path: path, method: plan.resource.method, body: body?.bytes, headers: headers, query: query)
    if let url {
      resource.target = try LinkedURL.absolute(
        try url.text(in: scope), from: plan.baseText, key: "resource.url")
    }
    do throws(ReactorError) {
      let url = try resource.url(relativeTo: plan.baseURL)
      try resource.headers.check()
      if let (header, key) = idempotency {
        resource.headers[header] =
          try key?.text(in: scope) ?? IdempotencyKey.computed(flow: flow, resource, url: url, item: item)
      }
    } catch {
      throw .parser(error.message)
    }
    return resource
  }

  /// The path with its values filled in, and the query parameters from its braces.
  private func expandedPath(
    in scope: EvaluationScope
  ) throws(ReactorError) -> (path: String, query: [Resource.QueryItem]) {
    var values: [String: [String]] = [:]
    for param in params { values[param.name, default: []] += try param.texts(in: scope) }
    var (path, query): (String, [Resource.QueryItem]) = ("", [])
    for part in self.path {
      switch part {
      case .text(let text): path += text
      case .value(let template): path += try template.text(in: scope, for: .path)
      case .braces(let template):
        do throws(BracesError) {
          let expanded = try template.expanded(with: values)
          path += expanded.path
          query += expanded.query.map { Resource.QueryItem($0.name, $0.value) }
        } catch {
          throw .parser(error.message)
        }
      }
    }
    return (path, query)
  }
}

extension RequestProgram.Parameter.Value {
  /// The values for one request; none for a parameter that is left out.
  func texts(in scope: EvaluationScope) throws(ReactorError) -> [String] {
    switch self {
    case .texts(let texts): texts
    case .template(let template): try template.texts(in: scope)
    }
  }
}

extension RequestProgram.Body {
  fileprivate func content(
    in scope: EvaluationScope, for item: RequestItem?
  ) throws(ReactorError) -> (bytes: [UInt8], type: String) {
    switch self {
    case .json(let document): return (JSONWriter.bytes(try document.json(in: scope)), "application/json")
    case .text(let template):
      return (Array(try template.text(in: scope, for: .body).utf8), "text/plain; charset=utf-8")
    case .form(let pairs):
      var all: [(name: String, value: String)] = []
      for pair in pairs { all += try pair.texts(in: scope).map { (name: pair.name, value: $0) } }
      return (Array(FormText.encoded(all).utf8), "application/x-www-form-urlencoded")
    case .records(let records):
      return (try records.bytes(item, in: scope), records.contentType)
    }
  }
}
