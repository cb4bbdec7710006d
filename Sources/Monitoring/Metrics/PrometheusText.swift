/// Writes metrics in the text format of Prometheus, version 0.0.4.
package enum PrometheusText {
  /// The text of all metrics of a run.
  package static func bytes(_ run: ObservedRun, _ metrics: [Metric] = Metric.all) -> [UInt8] {
    var text = ""
    for metric in metrics {
      let points = metric.points(run)
      guard !points.isEmpty else { continue }
      let name = metric.prometheusName
      text += "# HELP \(name) \(escaped(metric.description, quotes: false))\n# TYPE \(name) gauge\n"
      for point in points {
        let labels = point.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
        text += "\(name){\(labels.joined(separator: ","))} \(point.value.text)\n"
      }
    }
    return Array(text.utf8)
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var result = ""
    // Scalars, because a carriage return and a line feed are one character.
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
