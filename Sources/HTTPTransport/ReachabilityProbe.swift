internal import ReactorCore
internal import Synchronization

/// Opens TCP connections to see whether a request has a chance, and keeps the answers, per host and port, for its life.
///
/// Make one per batch and give it to every ``HTTPReachability``. Questions about one host at one time share one probe;
/// nothing is sent over the connection that it opens.
public final class ReachabilityProbe: Sendable {
  private enum Answer {
    case known(Bool)
    case asked(waiting: [Int: CheckedContinuation<Void, Never>])
  }

  /// Whose answer it is. Two flows with different rights do not share one.
  private struct Question: Hashable {
    let host: String
    let port: Int
    let needsRange: Bool
    let networks: [HTTPAllowList.Network]
  }

  private struct State {
    var answers: [Question: Answer] = [:]
    var nextTicket = 0
  }

  let client: HTTPClient
  private let limit: Duration
  private let state = Mutex(State())

  /// Builds a probe.
  ///
  /// - Parameter limit: name resolution and TCP together; 1 ms to 1 h.
  public init(client: HTTPClient, limit: Duration = .seconds(3)) {
    self.client = client
    self.limit = limit
  }

  /// Whether a connection to an address, or to the proxy in charge of it, can be opened. True where it must not be opened
  /// (``HTTPOptions/allow``), for then the request itself tells why.
  func isReachable(_ origin: Origin, options: HTTPOptions) async -> Bool {
    let networks = options.allow?.networks ?? []
    guard let proxy = options.proxies.proxy(for: origin) else {
      let needsRange = options.allow.map { !$0.lists(name: origin.host) } ?? false
      // Nothing is asked about a host that the request itself will be refused for.
      if needsRange, networks.isEmpty { return true }
      let question = Question(host: origin.host, port: origin.port, needsRange: needsRange, networks: networks)
      return await answer(question, options)
    }
    guard let address = ProxyAddress(proxy) else { return false }
    let question = Question(host: address.host, port: address.port, needsRange: false, networks: networks)
    return await answer(question, options)
  }

  private func answer(_ question: Question, _ options: HTTPOptions) async -> Bool {
    while !Task.isCancelled {
      let known: Bool?? = state.withLock { state in
        switch state.answers[question] {
        case .known(let answer): return answer
        case .asked: return .some(nil)
        case nil:
          state.answers[question] = .asked(waiting: [:])
          return nil
        }
      }
      switch known {
      case .some(.some(let answer)): return answer
      case .some(.none): await wait(for: question)
      case .none: return await ask(question, options)
      }
    }
    return false
  }

  private func ask(_ question: Question, _ options: HTTPOptions) async -> Bool {
    let answer = await probe(question, options)
    let waiting = state.withLock { state in
      defer { state.answers[question] = answer.map(Answer.known) }
      if case .asked(let waiting) = state.answers[question] { return Array(waiting.values) }
      return []
    }
    for continuation in waiting { continuation.resume() }
    return answer ?? false
  }

  /// Nil when the asking task was cancelled: the next one asks again.
  private func probe(_ question: Question, _ options: HTTPOptions) async -> Bool? {
    let deadline = MonotonicClock.now + UInt64(limit.milliseconds) * 1_000_000
    var options = options
    options.connectTimeout = limit
    let request = TransferRequest(
      purpose: .probe, method: "probe", url: "http://\(question.host):\(question.port)/", headers: nil,
      proxyHeaders: nil, body: nil, proxy: nil, needsRange: question.needsRange, deadline: deadline,
      settings: TransferSettings(options))
    do throws(ReactorError) {
      try await client.start(request).awaitEnd()
      return true
    } catch {
      // A refused address is no matter of reachability: the request will say what is wrong with it.
      return error.kind == .cancelled ? nil : error.kind == .server
    }
  }

  private func wait(for question: Question) async {
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          guard !Task.isCancelled, case .asked(var waiting) = state.answers[question] else { return false }
          waiting[ticket] = continuation
          state.answers[question] = .asked(waiting: waiting)
          return true
        }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      let continuation: CheckedContinuation<Void, Never>? = state.withLock { state in
        guard case .asked(var waiting) = state.answers[question] else { return nil }
        defer { state.answers[question] = .asked(waiting: waiting) }
        return waiting.removeValue(forKey: ticket)
      }
      continuation?.resume()
    }
  }
}
