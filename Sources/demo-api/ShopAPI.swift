import FlyingFox
import FlyingSocks
import Foundation
import JSONSyntax

/// The routes of the demo API, all below `/v1`.
struct ShopAPI: HTTPHandler {
  private let counts = RequestCounts()

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    if request.path == "/v1/status" { return await status() }
    let count = await counts.add(request.path)
    switch (request.method, request.path) {
    case (.GET, "/v1/customers"): return json(ShopData.customers)
    case (.GET, "/v1/orders"): return json(ShopData.orders)
    case (.GET, "/v1/products"): return json(ShopData.products)
    case (.GET, "/v1/rates"): return json(ShopData.rates)
    case (.GET, "/v1/articles"): return json(ArticleData.articles)
    case (.GET, "/v1/feed/large"): return large(request)
    case (.POST, "/v1/echo"), (.PUT, "/v1/echo"), (.PATCH, "/v1/echo"): return try await echo(request)
    case (.GET, "/v1/slow"): return try await slow(request)
    case (.GET, "/v1/flaky"): return flaky(count)
    case (.GET, "/v1/search/repositories"): return repositories(request)
    case (.GET, "/v1/page"):
      return HTTPResponse(
        statusCode: .ok, headers: [.contentType: "text/html"], body: Data("<!doctype html><h1>Shop</h1>".utf8))
    case (.GET, let path) where path.hasPrefix("/v1/customers/"): return customer(path)
    case (_, let path) where ShopAPI.paths.contains(path):
      return problem(.methodNotAllowed, "\(request.method.rawValue) is not allowed for \(path)")
    default: return problem(.notFound, "nothing is at \(request.path)")
    }
  }

  private static let paths: Set<String> = [
    "/v1/customers", "/v1/orders", "/v1/products", "/v1/rates", "/v1/feed/large", "/v1/echo", "/v1/slow", "/v1/flaky",
    "/v1/page", "/v1/search/repositories", "/v1/articles",
  ]

  /// Returns how often each other path was requested. Tests use it to check that a flow sent no request.
  private func status() async -> HTTPResponse {
    let requests = await counts.all.sorted { $0.key < $1.key }
      .map { "\(jsonString($0.key)):\($0.value)" }.joined(separator: ",")
    return json(#"{"status":"ok","shop":"Tea & Things","requests":{\#(requests)}}"#)
  }

  private func customer(_ path: String) -> HTTPResponse {
    let id = path.dropFirst("/v1/customers/".count)
    guard let record = ShopData.customerRecords.first(where: { $0.contains("\"id\": \(id),") }) else {
      return problem(.notFound, "no customer has the id '\(id)'")
    }
    return json(record)
  }

  /// Returns `?records=N` records (at most 100 million), which are generated while they are sent.
  ///
  /// With `?shape=array`, the response is an array without the envelope.
  private func large(_ request: HTTPRequest) -> HTTPResponse {
    let records = min(max(request.query["records"].flatMap { Int($0) } ?? 1000, 0), 100_000_000)
    let feed = LargeFeed(records: records, envelope: request.query["shape"] != "array")
    return HTTPResponse(
      statusCode: .ok, headers: [.contentType: "application/json"],
      body: HTTPBodySequence(from: feed, suggestedBufferSize: 64 << 10))
  }

  /// Returns the JSON of the request, with facts about the request that the sending flow can check.
  private func echo(_ request: HTTPRequest) async throws -> HTTPResponse {
    let body = try await request.bodyData
    guard (try? JSONValue(parsing: Array(body))) != nil else {
      return problem(.badRequest, "the body is not JSON")
    }
    let query = request.query.map { "\(jsonString($0.name)):\(jsonString($0.value))" }.joined(separator: ",")
    let headers = [HTTPHeader.contentType, .authorization].map {
      "\(jsonString($0.rawValue.lowercased())):\(request.headers[$0].map(jsonString) ?? "null")"
    }.joined(separator: ",")
    return json(
      #"{"method":"\#(request.method.rawValue)","query":{\#(query)},"headers":{\#(headers)},"received":"#
        + String(decoding: body, as: UTF8.self) + "}")
  }

  /// Responds after `?ms=N` milliseconds, at most a minute.
  private func slow(_ request: HTTPRequest) async throws -> HTTPResponse {
    let wait = min(max(request.query["ms"].flatMap { Int($0) } ?? 1000, 0), 60_000)
    try await Task.sleep(for: .milliseconds(wait))
    return json(#"{"waited_ms":\#(wait)}"#)
  }

  /// Fails at every odd-numbered request.
  private func flaky(_ count: Int) -> HTTPResponse {
    count.isMultiple(of: 2) ? json(#"{"attempt":\#(count)}"#) : problem(.serviceUnavailable, "try again")
  }

  private func repositories(_ request: HTTPRequest) -> HTTPResponse {
    let page = request.query["page"].flatMap { Int($0) } ?? 1
    guard let body = RepositoryIndex.body(query: request.query["q"] ?? "", page: page) else {
      return problem(.serviceUnavailable, "the index is not ready")
    }
    return json(body)
  }

  private func problem(_ status: HTTPStatusCode, _ message: String) -> HTTPResponse {
    json(#"{"error":{"status":\#(status.code),"message":\#(jsonString(message))}}"#, status)
  }

  private func json(_ text: String, _ status: HTTPStatusCode = .ok) -> HTTPResponse {
    HTTPResponse(
      statusCode: status, headers: [.contentType: "application/json; charset=utf-8"], body: Data(text.utf8))
  }

  private func jsonString(_ text: String) -> String {
    String(decoding: JSONWriter.bytes(.string(text)), as: UTF8.self)
  }
}

/// The number of requests for each path since the start.
private actor RequestCounts {
  private(set) var all: [String: Int] = [:]

  func add(_ path: String) -> Int {
    all[path, default: 0] += 1
    return all[path, default: 0]
  }
}
