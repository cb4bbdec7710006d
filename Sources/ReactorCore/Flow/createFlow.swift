// Upstream's `createFlow` family: {connection, base URL} × {one model, array} × {compiled `Mappable`, `ModelMapping`
// value}. All variants call the first function below. Declared flows use it too.

/// Builds a flow from its parts.
///
/// - Parameters:
///   - network: creates the network when a request is due; a persisted result therefore opens no connection
///   - persistence: where results are persisted; nil persists nothing
///   - pull: builds a model from the responses to one request or to a chain of requests
public func createFlow<Model: Sendable>(
  network: @escaping @Sendable () throws(ReactorError) -> Network, persistence: (any Persistence<Model>)? = nil,
  pull: @escaping @Sendable (Resource, Network) async throws(ReactorError) -> Fetched<Model>
) -> ReactorFlow<Model> {
  let flow = ReactorFlow<Model>(networkFlow: { (resource) async throws(ReactorError) -> Fetched<Model> in
    try await pull(resource, try network())
  })
  guard let persistence else { return flow }
  return flow.persisting(in: persistence)
}

/// Builds a flow of one compiled model over a connection.
///
/// - Parameter reachability: the check before each request; by default the connection's own check. No check is made if
///   the configuration's `shouldCheckReachability` is false. If the connection is a `Network`, this parameter and
///   `responseModifier` are ignored: the `Network` has its own check and its own modifier.
public func createFlow<Model: Mappable>(
  connection: any Connection, reachability: (any Reachability)? = nil,
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  createFlow(
    mapping: ModelMapping<Model>(), connection: connection, reachability: reachability,
    responseModifier: responseModifier, configuration: configuration, instruments: instruments)
}

/// Builds a flow of an array of compiled models; its parameters are those of the function for one model.
public func createFlow<Element: Mappable>(
  connection: any Connection, reachability: (any Reachability)? = nil,
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<[Element]> {
  createFlow(
    elements: ModelMapping<Element>(), connection: connection, reachability: reachability,
    responseModifier: responseModifier, configuration: configuration, instruments: instruments)
}

/// Builds a flow of one model with a mapping value over a connection.
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

/// Builds a flow of an array of models with a mapping value over a connection.
///
/// - Parameter elements: the mapping of one element.
/// - Parameter key: the member of the response that has the array; nil when the array is the whole response.
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

/// Builds a flow of one compiled model from a base URL.
public func createFlow<Model: Mappable>(
  baseURL: String, provider: some ConnectionProvider, responseModifier: ResponseModifier = .success,
  configuration: any FlowConfigurable = FlowConfiguration(), instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  createFlow(
    connection: provider.connection(baseURL: baseURL), responseModifier: responseModifier,
    configuration: configuration, instruments: instruments)
}

/// Builds a flow of an array of compiled models from a base URL.
public func createFlow<Element: Mappable>(
  baseURL: String, provider: some ConnectionProvider, responseModifier: ResponseModifier = .success,
  configuration: any FlowConfigurable = FlowConfiguration(), instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<[Element]> {
  createFlow(
    connection: provider.connection(baseURL: baseURL), responseModifier: responseModifier,
    configuration: configuration, instruments: instruments)
}

/// Builds a flow of one model with a mapping value from a base URL.
public func createFlow<Model: Sendable>(
  mapping: ModelMapping<Model>, baseURL: String, provider: some ConnectionProvider,
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  createFlow(
    mapping: mapping, connection: provider.connection(baseURL: baseURL), responseModifier: responseModifier,
    configuration: configuration, instruments: instruments)
}

/// Builds a flow of an array of models with a mapping value from a base URL.
public func createFlow<Element: Sendable>(
  elements: ModelMapping<Element>, under key: String? = nil, baseURL: String, provider: some ConnectionProvider,
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<[Element]> {
  createFlow(
    elements: elements, under: key, connection: provider.connection(baseURL: baseURL),
    responseModifier: responseModifier, configuration: configuration, instruments: instruments)
}

/// Builds a flow whose parser builds the model from one response.
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
    pull: { (resource, network) async throws(ReactorError) -> Fetched<Model> in
      try await parser.parse(try await network.response(for: resource), instruments: instruments)
    })
}

extension Network {
  /// Builds the network of a flow.
  ///
  /// A `Network` that is passed as the connection keeps its own check and modifier. Another network around it would
  /// judge its responses a second time.
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
