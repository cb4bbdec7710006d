internal import RunViews

/// A number about runs and their flows, as monitoring systems get it.
///
/// All metrics are gauges: they describe the last run, or what the history says after it.
package struct Metric: Sendable {
  /// The unit of a metric's values.
  package enum Unit: Sendable, Hashable {
    /// Seconds: of a duration, or since 1970 UTC.
    case seconds
    /// Bytes.
    case bytes
    /// A count of things with this name.
    case count(String)

    /// The unit in the notation of OpenTelemetry (UCUM).
    var ucum: String {
      switch self {
      case .seconds: "s"
      case .bytes: "By"
      case .count(let name): "{\(name)}"
      }
    }

    /// The unit as the end of a name in Prometheus.
    fileprivate var suffix: String {
      switch self {
      case .seconds: "_seconds"
      case .bytes: "_bytes"
      case .count: ""
      }
    }
  }

  /// A value; seconds may have milliseconds.
  package enum Value: Sendable, Hashable {
    case whole(Int64)
    case milliseconds(Int64)

    /// The value as a decimal number.
    package var text: String {
      switch self {
      case .whole(let number): String(number)
      case .milliseconds(let number):
        "\(number < 0 ? "-" : "")\(number.magnitude / 1000).\(String(1000 + number.magnitude % 1000).dropFirst())"
      }
    }
  }

  /// A label or attribute of a value.
  package struct Label: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A value with its labels.
  package struct Point: Sendable, Hashable {
    package let labels: [Label]
    package let value: Value
  }

  /// The name in OpenTelemetry: `reactor.flow.last_run.timestamp`.
  package let name: String
  package let unit: Unit
  /// A sentence that says what the value is.
  package let description: String
  /// The names of the labels, in their order.
  package let labels: [String]
  private let measure: @Sendable (ObservedRun) -> [Point]

  /// The name in Prometheus, by the rules of OpenTelemetry: `reactor_flow_last_run_timestamp_seconds`.
  package var prometheusName: String { String(name.map { $0 == "." ? "_" : $0 }) + unit.suffix }

  /// The values of the metric.
  package func points(_ run: ObservedRun) -> [Point] { measure(run) }

  /// Creates a metric about a run.
  init(
    _ name: String, _ unit: Unit, _ description: String, labels: [String] = [],
    _ values: @escaping @Sendable (ObservedRun) -> [([String], Value)]
  ) {
    let names = labels + ["root"]
    (self.name, self.unit, self.description, self.labels) = (name, unit, description, names)
    measure = { run in
      values(run).map { Point(labels: zip(names, $0.0 + [run.root]).map(Label.init), value: $0.1) }
    }
  }

  /// Creates a metric about each flow; a flow without a value is left out.
  init(
    flow name: String, _ unit: Unit, _ description: String, _ value: @escaping @Sendable (FlowHealth) -> Value?
  ) {
    self.init(name, unit, description, labels: ["flow"]) { run in
      run.flows.compactMap { flow in value(flow).map { ([flow.flow], $0) } }
    }
  }
}
