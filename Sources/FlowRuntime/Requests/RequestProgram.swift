package import Expressions
internal import Authorization
internal import JSONSyntax
internal import ReactorCore
package import Records
package import WebSyntax

/// Makes a request of values that are known only while a flow runs: a page, a parent's record, a cursor's bounds.
package struct RequestProgram: Sendable {
  /// A part of the path.
  package enum PathPart: Sendable {
    /// Text as it is.
    case text(String)
    /// Text with braces that the parameters fill in (RFC 6570).
    case braces(URITemplate)
    /// A value that becomes part of one segment.
    case value(ExpressionTemplate)
  }

  /// A parameter or a header.
  package struct Parameter: Sendable {
    package let name: String
    package let value: Value

    /// What is sent under the name.
    package enum Value: Sendable {
      /// Known before the flow runs; a parameter with several is repeated.
      case texts([String])
      /// Made for each request.
      case template(ExpressionTemplate)
    }

    package init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }

    fileprivate func texts(in scope: EvaluationScope) throws(ReactorError) -> [String] {
      switch value {
      case .texts(let texts): texts
      case .template(let template): try template.texts(in: scope)
      }
    }
  }

  /// What the body is.
  package enum Body: Sendable {
    case json(ExpressionDocument)
    case form([Parameter])
    case text(ExpressionTemplate)
    case records(SentRecords)
  }

  package var path: [PathPart] = []
  /// Values for the braces in the path.
  package var params: [Parameter] = []
  package var query: [Parameter] = []
  package var headers: [(name: String, value: ExpressionTemplate)] = []
  package var body: Body?
  /// The header by which the server knows a request that it has had before; a key of nil is computed.
  package var idempotency: (header: String, key: ExpressionTemplate?)?
  /// The flow that a computed key names.
  package let flow: String
  /// The names that the program takes from the scope.
  package var names: Set<String> = []

  /// What a caller from Swift adds to each request.
  struct Additions: Sendable {
    var query: [Resource.QueryItem] = []
    var headers: [Headers.Field] = []
  }

  var added = Additions()

  package init(flow: String) { self.flow = flow }

  /// The records that are sent, if it is these.
  var sentRecords: SentRecords? { if case .records(let records)? = body { records } else { nil } }

  /// The request with these values.
  ///
  /// - Parameters:
  ///   - plan: what the request has in common with all of the flow
  ///   - item: what it is made for, where that is part of it
  /// - Throws: `.parser` saying which template has no value, or why the request cannot be sent.
  func resource(
    of plan: RequestPlan, in scope: EvaluationScope, for item: RequestItem?
  ) throws(ReactorError) -> Resource {
    let (path, pathQuery) = try expandedPath(in: scope)
    var query = pathQuery
    for parameter in self.query {
      query += try parameter.texts(in: scope).map { Resource.QueryItem(parameter.name, $0) }
    }
    var fields: [Headers.Field] = []
    for header in headers { fields.append(Headers.Field(header.name, try header.value.text(in: scope))) }
    var headers = Headers(fields)
    let body = try body?.content(in: scope, for: item)
    if let body, headers["Content-Type"] == nil { headers["Content-Type"] = body.type }
    for field in added.headers { headers[field.name] = field.value }
    query += added.query
    if headers["Accept"] == nil { headers.fields.append(Headers.Field("Accept", "application/json")) }
    var resource = Resource(
      path: path, method: plan.resource.method, body: body?.bytes, headers: headers, query: query)
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

  /// The path with its values, and the query that its braces give.
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
