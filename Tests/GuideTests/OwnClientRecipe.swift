// What docs/guides/library.md shows of clients; the tests compare and run it.

import Foundation
import JSONSyntax
import ReactorCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Foundation's client as a connection.
struct SessionConnection: Connection {
  let session: URLSession
  let baseURL: String

  func response(for resource: Resource) async throws(ReactorError) -> Response {
    guard let url = URL(string: try resource.url(relativeTo: baseURL)) else { throw .server("this is no URL") }
    var request = URLRequest(url: url)
    request.httpMethod = resource.method.rawValue
    request.httpBody = resource.body.map { Data($0) }
    for field in resource.headers.fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
    do {
      let (body, head) = try await session.data(for: request)
      guard let head = head as? HTTPURLResponse else { throw ReactorError.server("this is no HTTP response") }
      return Response(status: head.statusCode, body: ResponseBody(bytes: Array(body)))
    } catch {
      throw Task.isCancelled ? .cancelled : ReactorError(error, as: .server)
    }
  }
}

/// A flow over Foundation's client.
func productFlow(baseURL: String) -> ReactorFlow<[Product]> {
  createFlow(connection: SessionConnection(session: .shared, baseURL: baseURL))
}

/// A flow over any function that gets bytes.
func productFlow(_ bytes: @escaping @Sendable (Resource) async throws -> [UInt8]) -> ReactorFlow<[Product]> {
  let parser = Parser.array(of: ModelMapping<Product>())
  return ReactorFlow(network: { resource in try parser.parse(try await bytes(resource)).model })
}

/// A product that is only read: it has no JSON form.
struct Label: Mappable, Equatable {
  let text: String

  static func mapToModel(_ json: JSONValue) throws(MappedError) -> Label {
    Label(text: "No. " + (try json.stringField("sku")))
  }

  func mapToJSON() -> JSONValue? { nil }
}

/// A flow of models without a JSON form: it persists nothing.
func labelFlow(_ connection: some Connection) -> ReactorFlow<[Label]> {
  createFlow(connection: connection, configuration: FlowConfiguration(persistence: .disabled))
}
