/// Joins the parts of a flow: network, parser and persistence.
struct FlowAssembly<Model: Sendable> {
  let parser: Parser<Model>
  let network: Network
  let configuration: any FlowConfigurable
  let instruments: FlowInstruments
  /// What a persisted result depends on besides its resource.
  let scope: String

  init(
    parser: Parser<Model>, connection: any Connection, reachability: any Reachability,
    responseModifier: ResponseModifier, configuration: any FlowConfigurable, instruments: FlowInstruments,
    scope: String
  ) {
    let checks = configuration.shouldCheckReachability
    if let network = connection as? Network {
      // It has its own check and modifier: another network around it would judge its answers a second time.
      let told = network.with(instruments)
      self.network = checks ? told : told.withoutReachabilityCheck()
    } else {
      self.network = Network(
        connection: connection, reachability: checks ? reachability : AlwaysReachable(),
        responseModifier: responseModifier, instruments: instruments)
    }
    self.parser = parser
    self.configuration = configuration
    self.instruments = instruments
    self.scope = scope
  }

  init(
    parser: Parser<Model>, baseURL: String, provider: some ConnectionProvider, responseModifier: ResponseModifier,
    configuration: any FlowConfigurable, instruments: FlowInstruments
  ) {
    // Without the check the probe is not even made.
    self.init(
      parser: parser, connection: provider.connection(baseURL: baseURL),
      reachability: configuration.shouldCheckReachability
        ? provider.reachability(baseURL: baseURL) : AlwaysReachable(),
      responseModifier: responseModifier, configuration: configuration, instruments: instruments, scope: baseURL)
  }

  var flow: ReactorFlow<Model> {
    let network = network
    let parser = parser
    let instruments = instruments
    let flow = ReactorFlow<Model>(networkFlow: { (resource) async throws(ReactorError) -> Parsed<Model> in
      let response = try await network.response(for: resource)
      return try await parser.parse(response, instruments: instruments)
    })
    switch configuration.persistence {
    case .disabled: return flow
    case .enabled(let path, let expiresAfter):
      return flow.persisting(
        in: InDiskPersistence(
          parser: parser, path: path, scope: scope, expiresAfter: expiresAfter, wallClock: instruments.wallClock))
    }
  }
}
