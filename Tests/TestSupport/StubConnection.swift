public import ReactorCore

internal import Synchronization

/// A connection that answers from memory and notes what it was asked.
public final class StubConnection: Connection {
  /// What persisted results belong to.
  public let baseURL: String
  /// Asked by flows that check reachability.
  public let reachability: any Reachability

  private let answer: @Sendable (Resource) throws -> Response
  private let asked = Mutex<[Resource]>([])

  /// What was asked, in order.
  public var requests: [Resource] { asked.withLock { $0 } }

  /// Answers by a rule; an error that is not a `ReactorError` becomes `.server`.
  public init(
    baseURL: String = "http://stub.test", reachability: any Reachability = AlwaysReachable(),
    _ answer: @escaping @Sendable (Resource) throws -> Response
  ) {
    self.baseURL = baseURL
    self.reachability = reachability
    self.answer = answer
  }

  /// Answers everything alike; the body comes in the chunks given.
  public convenience init(status: Int = 200, headers: Headers = Headers(), chunks: [[UInt8]]) {
    self.init { _ in Response(status: status, headers: headers, body: ResponseBody(Chunks(chunks))) }
  }

  /// Answers everything alike.
  public convenience init(
    baseURL: String = "http://stub.test", reachability: any Reachability = AlwaysReachable(), status: Int = 200,
    headers: Headers = Headers(), body: String
  ) {
    self.init(baseURL: baseURL, reachability: reachability) { _ in
      Response(status: status, headers: headers, body: ResponseBody(Chunks([Array(body.utf8)])))
    }
  }

  /// Answers by path, with 404 for those not given.
  public convenience init(bodies: [String: String]) {
    self.init { resource in
      guard let body = bodies[resource.path] else {
        return Response(status: 404, body: ResponseBody(bytes: Array("no such thing".utf8)))
      }
      return Response(status: 200, body: ResponseBody(bytes: Array(body.utf8)))
    }
  }

  /// Fails every request.
  public convenience init(failing error: ReactorError) {
    self.init { _ in throw error }
  }

  /// Notes the request and answers by the rule.
  public func response(for resource: Resource) async throws(ReactorError) -> Response {
    asked.withLock { $0.append(resource) }
    do {
      return try answer(resource)
    } catch {
      throw ReactorError(error, as: .server)
    }
  }

  private actor Chunks: ByteSource {
    private var chunks: ArraySlice<[UInt8]>

    init(_ chunks: [[UInt8]]) { self.chunks = chunks.filter { !$0.isEmpty }[...] }

    func next() async throws(ReactorError) -> [UInt8]? { chunks.popFirst() }

    nonisolated func cancel() {}
  }
}
