import Foundation

/// One flow of a `Bench`: what its server answers and what its file must then hold, both made here, byte for byte.
struct Item: Sendable {
  enum Kind: Sendable {
    /// Twenty short records.
    case small
    /// 1.5 MiB, so that it goes to the disk in several pieces.
    case large
    /// The same records in every version: a file that has them is left alone.
    case constant
  }

  let name: String
  let kind: Kind
  /// Below the root.
  let path: String
  var waits = true
  var probes = false

  /// The declaration below `flows:`.
  var yaml: String {
    """
      \(name):
        resource: /\(name)
        records: $[*]
        reachability: \(probes)
        wait: \(waits)
        schema: { fields: { id: integer, v: string, pad: string } }
        persistence: { path: \(path) }

    """
  }

  /// The folder of its file, below the root.
  var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

  /// The response of a version.
  func answer(_ version: Int) -> [UInt8] {
    let body = "[" + records(version).map(\.json).joined(separator: ",") + "]"
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    return Array((head + body).utf8)
  }

  /// The file of a version.
  func file(_ version: Int) -> Data {
    let records = records(version)
    let isCSV = path.hasSuffix(".csv")
    let text =
      isCSV ? "id,v,pad\r\n" + records.map { $0.csv + "\r\n" }.joined() : records.map { $0.json + "\n" }.joined()
    return Data(text.utf8)
  }

  private struct Record {
    var id: Int
    var version: Int
    var pad: String

    var json: String { #"{"id":\#(id),"v":"\#(version)","pad":"\#(pad)"}"# }
    var csv: String { "\(id),\(version),\(pad)" }
  }

  private func records(_ version: Int) -> [Record] {
    switch kind {
    case .small: (0..<20).map { Record(id: $0, version: version, pad: Item.shortPad) }
    case .large: (0..<24).map { Record(id: $0, version: version, pad: Item.longPad) }
    case .constant: (0..<20).map { Record(id: $0, version: 0, pad: Item.shortPad) }
    }
  }

  private static let shortPad = String(repeating: "tea", count: 20)
  private static let longPad = String(repeating: "x", count: 64 << 10)
}
