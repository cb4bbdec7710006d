import Foundation
import Testing

extension Records {
  /// The same records with the named fields as instants: two ways to write one time are equal.
  static func withInstants(
    _ fields: [String], in records: [NSObject], _ location: SourceLocation = #_sourceLocation
  ) throws -> [NSObject] {
    try records.map { record in
      guard var fieldsOfRecord = record as? [String: NSObject] else { return record }
      for field in fields {
        let text = try #require(
          fieldsOfRecord[field] as? String, "'\(field)' is not text: \(record)", sourceLocation: location)
        let milliseconds = try #require(
          instant(text), "'\(field)' is not an ISO 8601 time: \(text)", sourceLocation: location)
        fieldsOfRecord[field] = NSNumber(value: milliseconds)
      }
      return fieldsOfRecord as NSDictionary
    }
  }

  /// Milliseconds since 1970.
  private static func instant(_ text: String) -> Int64? {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime]
    if let date = formatter.date(from: text) { return Int64(date.timeIntervalSince1970 * 1000) }
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return formatter.date(from: text).map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
  }

  /// The rows of a CSV text as RFC 4180 says, the header first.
  static func rows(_ text: String?, _ location: SourceLocation = #_sourceLocation) throws -> [[String]] {
    let text = try #require(text, "the file is not there", sourceLocation: location)
    var rows: [[String]] = []
    var row: [String] = []
    var field = ""
    var isQuoted = false
    var rest = Substring(text.replacingOccurrences(of: "\r\n", with: "\n"))
    while let character = rest.popFirst() {
      switch (character, isQuoted) {
      case ("\"", true) where rest.first == "\"":
        field.append("\"")
        rest.removeFirst()
      case ("\"", _): isQuoted.toggle()
      case (",", false):
        row.append(field)
        field = ""
      case ("\n", false):
        rows.append(row + [field])
        (row, field) = ([], "")
      default: field.append(character)
      }
    }
    #expect(field.isEmpty && row.isEmpty && !isQuoted, "the last row is not ended", sourceLocation: location)
    return rows
  }
}
