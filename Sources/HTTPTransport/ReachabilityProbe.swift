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

  private struct State {
    var answers: [String: Answer] = [:]
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
    guard let proxy = options.proxies.proxy(for: origin) else {
      let needsRange = options.allow.map { !$0.lists(name: origin.host) } ?? false
      return await isReachable(host: origin.host, port: origin.port, needsRange: needsRange, options)
    }
    guard let address = ProxyAddress(proxy) else { return false }
    return await isReachable(host: address.host, port: address.port, needsRange: false, options)
  }

  private func isReachable(host: String, port: Int, needsRange: Bool, _ options: HTTPOptions) async -> Bool {
    let url = "http://\(host):\(port)/"
    // Nothing is asked about a host that the request itself will be refused for.
    if needsRange, options.allow?.networks.isEmpty == true { return true }
    // Two flows with different rights do not share an answer.
    let networks = options.allow?.networks ?? []
    let key = networks.isEmpty ? url : url + (needsRange ? " in " : " or ") + "\(networks.map { ($0.bytes, $0.bits) })"
    while !Task.isCancelled {
      let known: Bool?? = state.withLock { state in
        switch state.answers[key] {
        case .known(let answer): return answer
        case .asked: return .some(nil)
        case nil:
          state.answers[key] = .asked(waiting: [:])
          return nil
        }
      }
      switch known {
      case .some(.some(let answer)): return answer
      case .some(.none): await wait(for: key)
      case .none: return await ask(url, key, needsRange: needsRange, options)
      }
    }
    return false
  }

  private func ask(_ url: String, _ key: String, needsRange: Bool, _ options: HTTPOptions) async -> Bool {
    let answer = await probe(url, needsRange: needsRange, options)
    let waiting = state.withLock { state in
      defer { state.answers[key] = answer.map(Answer.known) }
      if case .asked(let waiting) = state.answers[key] { return Array(waiting.values) }
      return []
    }
    for continuation in waiting { continuation.resume() }
    return answer ?? false
  }

  /// Nil when the asking task was cancelled: the next one asks again.
  private func probe(_ url: String, needsRange: Bool, _ options: HTTPOptions) async -> Bool? {
    let deadline = MonotonicClock.now + UInt64(limit.milliseconds) * 1_000_000
    var options = options
    options.connectTimeout = limit
    let request = TransferRequest(
      purpose: .probe, method: "probe", url: url, headers: nil, proxyHeaders: nil, body: nil, proxy: nil,
      needsRange: needsRange, deadline: deadline, settings: TransferSettings(options))
    do throws(ReactorError) {
      try await client.start(request).awaitEnd()
      return true
    } catch {
      // A refused address is no matter of reachability: the request will say what is wrong with it.
      return error.kind == .cancelled ? nil : error.kind == .server
    }
  }

  private func wait(for key: String) async {
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          guard !Task.isCancelled, case .asked(var waiting) = state.answers[key] else { return false }
          waiting[ticket] = continuation
          state.answers[key] = .asked(waiting: waiting)
          return true
        }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      let continuation: CheckedContinuation<Void, Never>? = state.withLock { state in
        guard case .asked(var waiting) = state.answers[key] else { return nil }
        defer { state.answers[key] = .asked(waiting: waiting) }
        return waiting.removeValue(forKey: ticket)
      }
      continuation?.resume()
    }
  }
}
