public import ReactorCore

// The base-URL forms of `createFlow` and `Reactor` over HTTP, in one line.

/// A flow of one compiled model from a base URL, over HTTP.
///
/// - Parameter client: one of its own unless given; flows that share one share its connections and its thread.
public func createFlow<Model: Mappable>(
  baseURL: String, client: HTTPClient = HTTPClient(), responseModifier: ResponseModifier = .success,
  configuration: any FlowConfigurable = FlowConfiguration(), instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  createFlow(
    baseURL: baseURL, provider: client, responseModifier: responseModifier, configuration: configuration,
    instruments: instruments)
}

/// A flow of an array of compiled models from a base URL, over HTTP.
public func createFlow<Element: Mappable>(
  baseURL: String, client: HTTPClient = HTTPClient(), responseModifier: ResponseModifier = .success,
  configuration: any FlowConfigurable = FlowConfiguration(), instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<[Element]> {
  createFlow(
    baseURL: baseURL, provider: client, responseModifier: responseModifier, configuration: configuration,
    instruments: instruments)
}

/// A flow of one model by a mapping from a base URL, over HTTP.
public func createFlow<Model: Sendable>(
  mapping: ModelMapping<Model>, baseURL: String, client: HTTPClient = HTTPClient(),
  responseModifier: ResponseModifier = .success, configuration: any FlowConfigurable = FlowConfiguration(),
  instruments: FlowInstruments = FlowInstruments()
) -> ReactorFlow<Model> {
  createFlow(
    mapping: mapping, baseURL: baseURL, provider: client, responseModifier: responseModifier,
    configuration: configuration, instruments: instruments)
}

/// A flow of an array of models by a mapping from a base URL, over HTTP.
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
  /// A reactor of one compiled model from a base URL, over HTTP.
  public init(
    baseURL: String, client: HTTPClient = HTTPClient(),
    configuration: any FlowConfigurable & CoreConfigurable = ReactorConfiguration()
  ) {
    self.init(baseURL: baseURL, provider: client, configuration: configuration)
  }
}

extension Reactor {
  /// A reactor of an array of compiled models from a base URL, over HTTP.
  public init<Element: Mappable>(
    baseURL: String, client: HTTPClient = HTTPClient(),
    configuration: any FlowConfigurable & CoreConfigurable = ReactorConfiguration()
  ) where Model == [Element] {
    self.init(baseURL: baseURL, provider: client, configuration: configuration)
  }
}
