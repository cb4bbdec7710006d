internal import ReactorCore
internal import Synchronization

/// Opens TCP connections to see whether a request has a chance, and remembers the result per host and port.
///
/// Make one per batch and give it to every ``HTTPReachability``. Questions about one host at one time share one probe;
/// nothing is sent over the connection that it opens.
public final class ReachabilityProbe: Sendable {
  /// What is asked. Two flows with different rights do not share a result.
  private struct Question: Hashable {
    let host: String
    let port: Int
    let isProxy: Bool
    let needsRange: Bool
    let networks: [HTTPAllowList.Network]

    var name: String { (isProxy ? "the proxy " : "") + "\(host):\(port)" }
  }

  private struct State {
    var known: [Question: ReactorError?] = [:]
    var probes: [Question: SharedWork<ReactorError?>] = [:]
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
  /// it must not be opened (``HTTPOptions/allow``), for then the request's own error says why.
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
    let (known, probe) = state.withLock { state in
      let probe = state.probes[question] ?? SharedWork()
      state.probes[question] = probe
      return (state.known[question], probe)
    }
    if let known { return known }
    do throws(ReactorError) {
      return try await probe.value { [self] in
        let obstacle = await self.probe(question, options)
        // The next flow asks again when this one was cancelled.
        if let obstacle, obstacle.kind == .cancelled { return .failure(obstacle) }
        state.withLock { $0.known[question] = .some(obstacle) }
        return .success(obstacle)
      }
    } catch {
      return error
    }
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
}
