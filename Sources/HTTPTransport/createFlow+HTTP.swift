public import ReactorCore

// The variants of `createFlow` and `Reactor` that take a base URL and use HTTP, for calls in one line.

/// Creates a flow of one compiled model from a base URL, over HTTP.
///
/// - Parameter client: the client to use, by default a new one; flows that share a client share its connections and its
///   thread.
public func createFlow<Model: Mappable>(
  baseURL: String, client: HTTPClient = HTTPClient(), responseModifier: ResponseModifier = .success,
  configuration: any FlowConfigurable = FlowConfiguration(), instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  createFlow(
    baseURL: baseURL, provider: client, responseModifier: responseModifier, configuration: configuration,
    instruments: instruments)
}

/// Creates a flow of an array of compiled models from a base URL, over HTTP.
public func createFlow<Element: Mappable>(
  baseURL: String, client: HTTPClient = HTTPClient(), responseModifier: ResponseModifier = .success,
  configuration: any FlowConfigurable = FlowConfiguration(), instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<[Element]> {
  createFlow(
    baseURL: baseURL, provider: client, responseModifier: responseModifier, configuration: configuration,
    instruments: instruments)
}

/// Creates a flow of one model from a base URL, over HTTP, with a mapping.
public func createFlow<Model: Sendable>(
  mapping: ModelMapping<Model>, baseURL: String, client: HTTPClient = HTTPClient(),
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  createFlow(
    mapping: mapping, baseURL: baseURL, provider: client, responseModifier: responseModifier,
    configuration: configuration, instruments: instruments)
}

/// Creates a flow of an array of models from a base URL, over HTTP, with a mapping.
public func createFlow<Element: Sendable>(
  elements: ModelMapping<Element>, under key: String? = nil, baseURL: String, client: HTTPClient = HTTPClient(),
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<[Element]> {
  createFlow(
    elements: elements, under: key, baseURL: baseURL, provider: client, responseModifier: responseModifier,
    configuration: configuration, instruments: instruments)
}

extension Reactor where Model: Mappable {
  /// Creates a reactor of one compiled model from a base URL, over HTTP.
  public init(
    baseURL: String, client: HTTPClient = HTTPClient(),
    configuration: any FlowConfigurable & CoreConfigurable = ReactorConfiguration()
  ) {
    self.init(baseURL: baseURL, provider: client, configuration: configuration)
  }
}

extension Reactor {
  /// Creates a reactor of an array of compiled models from a base URL, over HTTP.
  public init<Element: Mappable>(
    baseURL: String, client: HTTPClient = HTTPClient(),
    configuration: any FlowConfigurable & CoreConfigurable = ReactorConfiguration()
  ) where Model == [Element] {
    self.init(baseURL: baseURL, provider: client, configuration: configuration)
  }
}
