package import JSONSyntax

/// The records of a flow as a golden file stores them.
///
/// The file has one record per line, sorted by key and masked. Numbers keep their notation.
package struct GoldenRecords: Sendable, Hashable {
  /// A record with the name that identifies it in the golden.
  package struct Record: Sendable, Hashable {
    /// The name, such as `id=7`; `record 3` when the schema declares no key.
    ///
    /// A repeated name is followed by its number, such as ` #2`.
    package var key: String
    /// The masked record.
    package var value: JSONValue
  }

  /// The records sorted by key; without a declared key in their original order.
  package let records: [Record]
  /// Whether the schema declares a key.
  package let isKeyed: Bool
  /// The keys in the original order of the records. Nil when the records were already sorted.
  package let order: [String]?

  /// Creates golden records from records in their original order.
  package init(_ values: [JSONValue], key: [String], masks: [ValueMask] = []) {
    var records: [Record] = []
    var counts: [String: Int] = [:]
    isKeyed = !key.isEmpty
    for (index, value) in values.enumerated() {
      var masked = value
      for mask in masks { masked = mask.apply(to: masked) }
      var label =
        key.isEmpty ? "record \(index + 1)" : key.map { "\($0)=\(Self.text(masked[$0]))" }.joined(separator: ",")
      if !key.isEmpty {
        counts[label, default: 0] += 1
        if let count = counts[label], count > 1 { label += " #\(count)" }
      }
      records.append(Record(key: label, value: masked))
    }
    guard !key.isEmpty else {
      self.records = records
      order = nil
      return
    }
    let sorted = records.enumerated().sorted { left, right in
      left.element.key == right.element.key
        ? left.offset < right.offset : NaturalOrder.precedes(left.element.key, right.element.key)
    }
    self.records = sorted.map(\.element)
    let isInOrder = sorted.enumerated().allSatisfy { $0.offset == $0.element.offset }
    order = isInOrder ? nil : records.map(\.key)
  }

  /// Parses JSON Lines; the lines of a golden file are already in order.
  ///
  /// - Throws: the error of the first line that is not JSON, with its number
  package init(parsing bytes: [UInt8], key: [String], masks: [ValueMask] = [], path: String) throws(FixtureError) {
    self.init(try Self.values(parsing: bytes, path: path), key: key, masks: masks)
  }

  /// Returns the values of JSON Lines, or of one JSON array.
  package static func values(parsing bytes: [UInt8], path: String, isArray: Bool = false) throws(FixtureError)
    -> [JSONValue]
  {
    if isArray {
      do throws(JSONError) {
        return try JSONValue(parsing: bytes).array ?? []
      } catch {
        throw FixtureError("\(path): \(error.message)")
      }
    }
    var values: [JSONValue] = []
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() where !line.isEmpty
    {
      do throws(JSONError) {
        values.append(try JSONValue(parsing: Array(line)))
      } catch {
        throw FixtureError(
          "\(path):\(index + 1): \(error.message)", help: "restore the file, or replace it with 'reactor accept'")
      }
    }
    return values
  }

  /// The content of the file, one line per record.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for record in records {
      JSONWriter.write(record.value, into: &bytes)
      bytes.append(0x0A)
    }
    return bytes
  }

  /// Returns the value of a key field for display. A text is shown without quotes.
  private static func text(_ value: JSONValue?) -> String {
    guard let value else { return "(absent)" }
    return value.string ?? String(decoding: JSONWriter.bytes(value), as: UTF8.self)
  }
}
