internal import ReactorCore
internal import Synchronization

/// Opens TCP connections to see whether a request has a chance, and keeps the responses, per host and port, for its
/// life.
///
/// Make one per batch and give it to every ``HTTPReachability``. Questions about one host at one time share one probe;
/// nothing is sent over the connection that it opens.
public final class ReachabilityProbe: Sendable {
  private enum Verdict {
    case known(ReactorError?)
    case asked(waiting: [Int: CheckedContinuation<Void, Never>])
  }

  private enum Step {
    case known(ReactorError?)
    case wait
    case ask
  }

  /// Whose answer it is. Two flows with different rights do not share one.
  private struct Question: Hashable {
    let host: String
    let port: Int
    let isProxy: Bool
    let needsRange: Bool
    let networks: [HTTPAllowList.Network]

    var name: String { (isProxy ? "the proxy " : "") + "\(host):\(port)" }
  }

  private struct State {
    var answers: [Question: Verdict] = [:]
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

  /// Why no connection to an address, or to the proxy in charge of it, can be opened; nil when one can. Nil also where
  /// it must not be opened (``HTTPOptions/allow``), for then the request itself tells why.
  func obstacle(to origin: Origin, options: HTTPOptions) async -> ReactorError? {
    let networks = options.allow?.networks ?? []
    guard let proxy = options.proxies.proxy(for: origin) else {
      let needsRange = options.allow.map { !$0.lists(name: origin.host) } ?? false
      // Nothing is asked about a host that the request itself will be refused for.
      if needsRange, networks.isEmpty { return nil }
      return await obstacle(
        Question(
          host: origin.host, port: origin.port, isProxy: false, needsRange: needsRange, networks: networks), options)
    }
    guard let address = ProxyAddress(proxy) else {
      return ReactorError(.noConnectivity, "the proxy's address cannot be used")
    }
    return await obstacle(
      Question(host: address.host, port: address.port, isProxy: true, needsRange: false, networks: networks), options)
  }

  private func obstacle(_ question: Question, _ options: HTTPOptions) async -> ReactorError? {
    while !Task.isCancelled {
      let step: Step = state.withLock { state in
        switch state.answers[question] {
        case .known(let obstacle): return .known(obstacle)
        case .asked: return .wait
        case nil:
          state.answers[question] = .asked(waiting: [:])
          return .ask
        }
      }
      switch step {
      case .known(let obstacle): return obstacle
      case .wait: await wait(for: question)
      case .ask: return await ask(question, options)
      }
    }
    return .cancelled
  }

  private func ask(_ question: Question, _ options: HTTPOptions) async -> ReactorError? {
    let obstacle = await probe(question, options)
    // When the asking task was cancelled, the next one asks again.
    let answer: Verdict? = obstacle?.kind == .cancelled ? nil : .known(obstacle)
    let waiting = state.withLock { state in
      defer { state.answers[question] = answer }
      if case .asked(let waiting) = state.answers[question] { return Array(waiting.values) }
      return []
    }
    for continuation in waiting { continuation.resume() }
    return obstacle
  }

  private func probe(_ question: Question, _ options: HTTPOptions) async -> ReactorError? {
    let deadline = MonotonicClock.now + UInt64(limit.milliseconds) * 1_000_000
    var options = options
    options.connectTimeout = limit
    let request = TransferRequest(
      purpose: .probe(question.name), method: "probe", url: "http://\(question.host):\(question.port)/", headers: nil,
      proxyHeaders: nil, body: nil, proxy: nil, needsRange: question.needsRange, deadline: deadline,
      settings: TransferSettings(options))
    do throws(ReactorError) {
      try await client.start(request).awaitEnd()
      return nil
    } catch {
      switch error.kind {
      case .cancelled: return error
      // A refused address is no matter of reachability: the request will say what is wrong with it.
      case .server: return nil
      default: return ReactorError(.noConnectivity, error.message)
      }
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
