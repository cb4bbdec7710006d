// Upstream's `createFlow` family: {connection, base URL} × {one model, array} × {compiled `Mappable`, mapping as a value}.
// All forms end in the first one, which declared flows use too.

/// A flow of its parts.
///
/// - Parameters:
///   - network: makes the network when a request is due, so that a result from persistence opens nothing
///   - persistence: where results are persisted; nil for nowhere
///   - pull: makes a model of the responses to one request, or to a chain of them
public func createFlow<Model: Sendable>(
  network: @escaping @Sendable () throws(ReactorError) -> Network, persistence: (any Persistence<Model>)? = nil,
  pull: @escaping @Sendable (Resource, Network) async throws(ReactorError) -> Parsed<Model>
) -> ReactorFlow<Model> {
  let flow = ReactorFlow<Model>(networkFlow: { (resource) async throws(ReactorError) -> Parsed<Model> in
    try await pull(resource, try network())
  })
  guard let persistence else { return flow }
  return flow.persisting(in: persistence)
}

/// A flow of one compiled model over a connection.
///
/// - Parameter reachability: asked before each request when the configuration checks reachability; the connection's own
///   check unless given. A `Network` given as connection keeps its own check and modifier; without
///   `shouldCheckReachability` its check is left out.
public func createFlow<Model: Mappable>(
  connection: any Connection, reachability: (any Reachability)? = nil,
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  createFlow(
    mapping: ModelMapping<Model>(), connection: connection, reachability: reachability,
    responseModifier: responseModifier, configuration: configuration, instruments: instruments)
}

/// A flow of an array of compiled models over a connection; see the single form for the parameters.
public func createFlow<Element: Mappable>(
  connection: any Connection, reachability: (any Reachability)? = nil,
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<[Element]> {
  createFlow(
    elements: ModelMapping<Element>(), connection: connection, reachability: reachability,
    responseModifier: responseModifier, configuration: configuration, instruments: instruments)
}

/// A flow of one declared model over a connection.
public func createFlow<Model: Sendable>(
  mapping: ModelMapping<Model>, connection: any Connection, reachability: (any Reachability)? = nil,
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  createFlow(
    parser: Parser(mapping),
    network: Network(connection, reachability, responseModifier, configuration, instruments),
    configuration: configuration, instruments: instruments)
}

/// A flow of an array of declared models over a connection.
///
/// - Parameter elements: how one element is mapped.
/// - Parameter key: the member of the response that holds the array; nil when the array is the whole response.
public func createFlow<Element: Sendable>(
  elements: ModelMapping<Element>, under key: String? = nil, connection: any Connection,
  reachability: (any Reachability)? = nil, responseModifier: ResponseModifier = .success,
  configuration: any FlowConfigurable = FlowConfiguration(), instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<[Element]> {
  createFlow(
    parser: .array(of: elements, prune: configuration.shouldPrune, under: key),
    network: Network(connection, reachability, responseModifier, configuration, instruments),
    configuration: configuration, instruments: instruments)
}

/// A flow of one compiled model from a base URL.
public func createFlow<Model: Mappable>(
  baseURL: String, provider: some ConnectionProvider, responseModifier: ResponseModifier = .success,
  configuration: any FlowConfigurable = FlowConfiguration(), instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  createFlow(
    connection: provider.connection(baseURL: baseURL), responseModifier: responseModifier,
    configuration: configuration, instruments: instruments)
}

/// A flow of an array of compiled models from a base URL.
public func createFlow<Element: Mappable>(
  baseURL: String, provider: some ConnectionProvider, responseModifier: ResponseModifier = .success,
  configuration: any FlowConfigurable = FlowConfiguration(), instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<[Element]> {
  createFlow(
    connection: provider.connection(baseURL: baseURL), responseModifier: responseModifier,
    configuration: configuration, instruments: instruments)
}

/// A flow of one declared model from a base URL.
public func createFlow<Model: Sendable>(
  mapping: ModelMapping<Model>, baseURL: String, provider: some ConnectionProvider,
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  createFlow(
    mapping: mapping, connection: provider.connection(baseURL: baseURL), responseModifier: responseModifier,
    configuration: configuration, instruments: instruments)
}

/// A flow of an array of declared models from a base URL.
public func createFlow<Element: Sendable>(
  elements: ModelMapping<Element>, under key: String? = nil, baseURL: String, provider: some ConnectionProvider,
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<[Element]> {
  createFlow(
    elements: elements, under: key, connection: provider.connection(baseURL: baseURL),
    responseModifier: responseModifier, configuration: configuration, instruments: instruments)
}

/// A flow whose model one parser makes of one response.
private func createFlow<Model: Sendable>(
  parser: Parser<Model>, network: Network, configuration: any FlowConfigurable, instruments: FlowInstruments
) -> ReactorFlow<Model> {
  var persistence: (any Persistence<Model>)?
  if case .enabled(let path, let expiresAfter, let provider) = configuration.persistence {
    persistence = provider.persistence(
      of: parser, at: path, scope: network.baseURL, expiresAfter: expiresAfter, wallClock: instruments.wallClock)
  }
  return createFlow(
    network: { network }, persistence: persistence,
    pull: { (resource, network) async throws(ReactorError) -> Parsed<Model> in
      try await parser.parse(try await network.response(for: resource), instruments: instruments)
    })
}

extension Network {
  /// The network of a flow; one that is given as connection keeps its own check and modifier, because another network
  /// around it would judge its responses a second time.
  fileprivate init(
    _ connection: any Connection, _ reachability: (any Reachability)?, _ responseModifier: ResponseModifier,
    _ configuration: any FlowConfigurable, _ instruments: FlowInstruments
  ) {
    let checks = configuration.shouldCheckReachability
    if let network = connection as? Network {
      let observed = network.with(instruments)
      self = checks ? observed : observed.withoutReachabilityCheck()
    } else {
      self.init(
        connection: connection, reachability: checks ? reachability : AlwaysReachable(),
        responseModifier: responseModifier, instruments: instruments)
    }
  }
}
