package import JSONSyntax

/// The records of a flow in the form of a golden: one a line, by key, masked, numbers as written.
package struct GoldenRecords: Sendable, Hashable {
  /// A record with its name among the others.
  package struct Record: Sendable, Hashable {
    /// `id=7`; `record 3` where no key is declared; with `#2` behind it where it comes again.
    package var key: String
    /// The record, masked.
    package var value: JSONValue
  }

  /// In the order of their keys; without a declared key as they came.
  package let records: [Record]
  /// Whether the schema declares a key.
  package let isKeyed: Bool
  /// The keys in the order in which the records came, where that is not the order of the keys.
  package let order: [String]?

  /// Takes records as they came.
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

  /// Reads JSON Lines; a golden of its own is in order already.
  ///
  /// - Throws: the first line that is no JSON, by number.
  package init(parsing bytes: [UInt8], key: [String], masks: [ValueMask] = [], path: String) throws(FixtureError) {
    self.init(try Self.values(parsing: bytes, path: path), key: key, masks: masks)
  }

  /// The values of JSON Lines, or of one JSON array.
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
          "\(path):\(index + 1): \(error.message)", help: "restore the file, or accept the present records")
      }
    }
    return values
  }

  /// The file: a line for each record.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for record in records {
      JSONWriter.write(record.value, into: &bytes)
      bytes.append(0x0A)
    }
    return bytes
  }

  /// The value of a key's field as it is shown: a text without its quotes.
  private static func text(_ value: JSONValue?) -> String {
    guard let value else { return "(absent)" }
    return value.string ?? String(decoding: JSONWriter.bytes(value), as: UTF8.self)
  }
}
