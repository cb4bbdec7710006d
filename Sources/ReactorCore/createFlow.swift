// Upstream's `createFlow` family: {connection, base URL} × {one model, array} × {compiled `Mappable`, mapping as value}.

/// A flow of one compiled model over a connection.
///
/// - Parameter reachability: asked before each request when the configuration says so. A `Network` given as connection
///   keeps its own check and modifier instead; without `shouldCheckReachability` its check is left out.
public func createFlow<Model: Mappable>(
  connection: any Connection, reachability: any Reachability = AlwaysReachable(),
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  createFlow(
    mapping: ModelMapping<Model>(), connection: connection, reachability: reachability,
    responseModifier: responseModifier, configuration: configuration, instruments: instruments)
}

/// A flow of an array of compiled models over a connection; see the single form for the parameters.
public func createFlow<Element: Mappable>(
  connection: any Connection, reachability: any Reachability = AlwaysReachable(),
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<[Element]> {
  createFlow(
    elements: ModelMapping<Element>(), connection: connection, reachability: reachability,
    responseModifier: responseModifier, configuration: configuration, instruments: instruments)
}

/// A flow of one declared model over a connection.
public func createFlow<Model: Sendable>(
  mapping: ModelMapping<Model>, connection: any Connection, reachability: any Reachability = AlwaysReachable(),
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  FlowAssembly(
    parser: Parser(mapping), connection: connection, reachability: reachability, responseModifier: responseModifier,
    configuration: configuration, instruments: instruments, scope: ""
  ).flow
}

/// A flow of an array of declared models over a connection.
///
/// - Parameter elements: how one element is mapped.
/// - Parameter key: the member of the answer that holds the array; nil when the array is the whole answer.
public func createFlow<Element: Sendable>(
  elements: ModelMapping<Element>, under key: String? = nil, connection: any Connection,
  reachability: any Reachability = AlwaysReachable(), responseModifier: ResponseModifier = .success,
  configuration: any FlowConfigurable = FlowConfiguration(), instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<[Element]> {
  FlowAssembly(
    parser: .array(of: elements, prune: configuration.shouldPrune, under: key), connection: connection,
    reachability: reachability, responseModifier: responseModifier, configuration: configuration,
    instruments: instruments, scope: ""
  ).flow
}

/// A flow of one compiled model from a base URL.
public func createFlow<Model: Mappable>(
  baseURL: String, provider: some ConnectionProvider, responseModifier: ResponseModifier = .success,
  configuration: any FlowConfigurable = FlowConfiguration(), instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  createFlow(
    mapping: ModelMapping<Model>(), baseURL: baseURL, provider: provider, responseModifier: responseModifier,
    configuration: configuration, instruments: instruments)
}

/// A flow of an array of compiled models from a base URL.
public func createFlow<Element: Mappable>(
  baseURL: String, provider: some ConnectionProvider, responseModifier: ResponseModifier = .success,
  configuration: any FlowConfigurable = FlowConfiguration(), instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<[Element]> {
  createFlow(
    elements: ModelMapping<Element>(), baseURL: baseURL, provider: provider, responseModifier: responseModifier,
    configuration: configuration, instruments: instruments)
}

/// A flow of one declared model from a base URL.
public func createFlow<Model: Sendable>(
  mapping: ModelMapping<Model>, baseURL: String, provider: some ConnectionProvider,
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  FlowAssembly(
    parser: Parser(mapping), baseURL: baseURL, provider: provider, responseModifier: responseModifier,
    configuration: configuration, instruments: instruments
  ).flow
}

/// A flow of an array of declared models from a base URL.
public func createFlow<Element: Sendable>(
  elements: ModelMapping<Element>, under key: String? = nil, baseURL: String, provider: some ConnectionProvider,
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<[Element]> {
  FlowAssembly(
    parser: .array(of: elements, prune: configuration.shouldPrune, under: key), baseURL: baseURL, provider: provider,
    responseModifier: responseModifier, configuration: configuration, instruments: instruments
  ).flow
}
