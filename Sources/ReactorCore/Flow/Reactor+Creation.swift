extension Reactor where Model: Mappable {
  /// Builds a reactor of one compiled model from a base URL.
  public init(
    baseURL: String, provider: some ConnectionProvider,
    configuration: any FlowConfigurable & CoreConfigurable = ReactorConfiguration(), queue: SaveQueue = SaveQueue(),
    name: String = "", instruments: FlowInstruments = FlowInstruments()
  ) {
    self.init(
      flow: createFlow(
        baseURL: baseURL, provider: provider, configuration: configuration, instruments: instruments),
      configuration: configuration, queue: queue, name: name, instruments: instruments)
  }
}

extension Reactor {
  /// Builds a reactor of an array of compiled models from a base URL.
  public init<Element: Mappable>(
    baseURL: String, provider: some ConnectionProvider,
    configuration: any FlowConfigurable & CoreConfigurable = ReactorConfiguration(), queue: SaveQueue = SaveQueue(),
    name: String = "", instruments: FlowInstruments = FlowInstruments()
  ) where Model == [Element] {
    self.init(
      flow: createFlow(
        baseURL: baseURL, provider: provider, configuration: configuration, instruments: instruments),
      configuration: configuration, queue: queue, name: name, instruments: instruments)
  }
}
