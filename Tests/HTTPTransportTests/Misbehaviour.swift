import HTTPTransport
import ReactorCore
import TestSupport
import Testing

/// One thing that a server must not do, and the nearest thing that it may.
struct Misbehaviour: Sendable, CustomTestStringConvertible {
  let name: String
  let bad: [ScriptedServer.Step]
  /// In the error's message.
  let reason: String
  var kind = ReactorError.Kind.server
  var good: [ScriptedServer.Step] = [.text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")]
  /// The good twin's body.
  var body = "hello"
  var method = Resource.Method.GET
  var adjust: @Sendable (inout HTTPOptions) -> Void = { _ in }
  /// Whether the message's framing is sound and only its content is not: then its connection may serve again.
  var isSoundlyFramed = false

  var testDescription: String { name }
}

extension ScriptedServer.Step {
  static func text(_ text: String) -> Self { .send(Array(text.utf8)) }
}

/// A head with status 200 and the fields given.
func head(_ fields: String...) -> String {
  "HTTP/1.1 200 OK\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
}

@Suite(.serialized) struct MisbehaviourTests {
  /// The bad response is refused with its reason, its connection is not used again, and the good twin then arrives
  /// whole.
  @Test(.timeLimit(.minutes(1)), arguments: Misbehaviour.all)
  func `a misbehaving server is refused and its good twin is not`(_ misbehaviour: Misbehaviour) async throws {
    let server = try ScriptedServer { $0.target == "/bad" ? misbehaviour.bad : misbehaviour.good }
    defer { server.stop() }
    var options = HTTPOptions()
    options.timeout = .seconds(10)
    misbehaviour.adjust(&options)
    let client = HTTPClient()
    defer { client.shutdown() }
    let connection = try HTTPConnection(baseURL: server.url, client: client, options: options)

    let memory = PeakMemory.begin()
    // Where time is what is misused, the limit on time, and else nothing worth waiting for: 2 s more than either. A
    // machine that others use may stop for as long, now and then; a limit that does not hold is overrun each time.
    let misused = misbehaviour.kind == .timeout ? min(options.timeout, options.lowSpeedTime) : .zero
    let limit = misused + .seconds(2) * Sanitizer.patience
    var error: ReactorError?
    var time = limit
    for _ in 0..<3 where time >= limit {
      let start = ContinuousClock.now
      error = await #expect(throws: ReactorError.self) {
        let response = try await connection.response(for: Resource(path: "/bad", method: misbehaviour.method))
        _ = try await response.body.collect(upTo: 100_000_000)
      }
      time = ContinuousClock.now - start
    }
    #expect(time < limit)
    #expect(PeakMemory.kilobytes - memory < 64 << 10)
    #expect(error?.kind == misbehaviour.kind)
    let message = error?.message ?? ""
    #expect(message.contains(misbehaviour.reason))
    #expect(message.contains("\(misbehaviour.method.rawValue) \(server.url)/bad: "))

    // The planted fault: the good twin is asked for where the bad one stands, as if nothing had been refused.
    let twin = Plant.isSet("t5") ? "/bad" : "/good"
    let response = try await connection.response(for: Resource(path: twin, method: misbehaviour.method))
    let bytes = try await response.body.collect(upTo: 100_000_000)
    #expect(String(decoding: bytes, as: UTF8.self) == misbehaviour.body)
    let good = server.requests.first { $0.target == "/good" }
    let bad = server.requests.first { $0.target == "/bad" }
    let isSoundlyFramed =
      misbehaviour.isSoundlyFramed || misbehaviour.reason.contains(" body is")
      || misbehaviour.reason.contains("once decoded") || misbehaviour.reason.contains("redirect number")
    if !isSoundlyFramed { #expect(good?.connection != bad?.connection) }
  }

  @Test func `there are more than 120 of them and each has a name of its own`() {
    #expect(Misbehaviour.all.count >= 120)
    #expect(Set(Misbehaviour.all.map(\.name)).count == Misbehaviour.all.count)
  }
}

extension Misbehaviour {
  static let all = framing + chunks + statusLines + fields + limits + codings + times + redirections + emptiness
}
