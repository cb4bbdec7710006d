internal import ReactorCore
internal import Synchronization

/// Opens TCP connections to check hosts, and remembers the result per host and port.
///
/// Create one probe per batch and give it to every ``HTTPReachability``. Concurrent checks of one host share one
/// connection attempt. No data is sent over the connection.
public final class ReachabilityProbe: Sendable {
  /// The key of a result. Two flows with different allow lists do not share a result.
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

  /// Creates a probe.
  ///
  /// - Parameter limit: the time limit for name resolution and TCP together; 1 ms to 1 h
  public init(client: HTTPClient, limit: Duration = .seconds(3)) {
    self.client = client
    self.limit = limit
  }

  /// The reason why no connection to an origin, or to its proxy, can be opened; nil when one can be opened.
  ///
  /// Nil also when the connection is not allowed (``HTTPOptions/allow``): the request's own error then has the reason.
  func obstacle(to origin: Origin, options: HTTPOptions) async -> ReactorError? {
    let networks = options.allow?.networks ?? []
    guard let proxy = options.proxies.proxy(for: origin) else {
      let needsRange = options.allow.map { !$0.lists(name: origin.host) } ?? false
      // Do not probe a host whose requests are refused anyway.
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
        // A cancelled check stores no result, so the next flow checks again.
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
      // A refused address is not a reachability problem: the error of the request will explain it.
      case .server: return nil
      default: return ReactorError(.noConnectivity, error.message)
      }
    }
  }
}
