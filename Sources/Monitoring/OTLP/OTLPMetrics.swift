package import JSONSyntax
internal import RunViews

/// Writes metrics as requests of OTLP.
package enum OTLPMetrics {
  /// The most values of one request.
  private static let most = 2000

  /// The bodies of the requests with all metrics of a run.
  package static func requests(_ run: ObservedRun, _ resource: OTLPResource) -> [JSONValue] {
    let time = JSONValue.string(String(run.run.ended * 1_000_000_000))
    let points = Metric.all.flatMap { metric in metric.points(run).map { (metric, $0) } }
    return OTLPJSON.groups(points, of: most).map { group in
      var metrics: [(metric: Metric, points: [JSONValue])] = []
      for (metric, point) in group {
        if metrics.last?.metric.name != metric.name { metrics.append((metric, [])) }
        metrics[metrics.count - 1].points.append(
          .object([
            "attributes": .array(point.labels.map { OTLPJSON.attribute($0.name, $0.value) }), "timeUnixNano": time,
            point.value.otlp.name: point.value.otlp.value,
          ]))
      }
      return .object([
        "resourceMetrics": [
          .object([
            "resource": resource.json,
            "scopeMetrics": [
              .object([
                "scope": resource.scope,
                "metrics": .array(
                  metrics.map {
                    .object([
                      "name": .string($0.metric.name), "description": .string($0.metric.description),
                      "unit": .string($0.metric.unit.ucum), "gauge": .object(["dataPoints": .array($0.points)]),
                    ])
                  }),
              ])
            ],
          ])
        ]
      ])
    }
  }
}

extension Metric.Value {
  fileprivate var otlp: (name: String, value: JSONValue) {
    switch self {
    case .whole(let number): ("asInt", .string(String(number)))
    case .milliseconds: ("asDouble", .number(JSONNumber(validated: text)))
    }
  }
}
