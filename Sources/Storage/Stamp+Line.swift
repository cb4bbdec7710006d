internal import ByteCodings

extension Stamp {
  /// The maximum length of a line in bytes, without its end. Longer lines were not written by this program.
  static let maxLineBytes = 16 * 1024

  private static let maxValidatorBytes = 1024
  private static let version = "r1"
  private static let tab = UInt8(ascii: "\t")

  /// Returns the journal's line for a file with this stamp, without the line end.
  ///
  /// The fields of a line are separated by tabs:
  ///
  ///     r1 CHECK NAME SIZE HASH WRITTEN RESOURCE SCHEMA RECORDS REJECTED DURABLE ETAG LAST-MODIFIED
  ///     [CURSOR [CREDENTIALS]]
  ///
  /// CHECK is the `ContentHash` of everything after the tab that follows CHECK. Hashes are 16 hex digits, numbers are
  /// decimal. DURABLE is `d` (durable), `f` (fast) or `a` (announced: the content is about to be published). Texts are
  /// percent-escaped; an absent text is `-`.
  func line(for name: String, isAnnounced: Bool = false) -> [UInt8] {
    var fields = [
      Stamp.escaped(name), String(size), Hex.text(hash), String(provenance.writtenAt), Hex.text(provenance.resource),
      Hex.text(provenance.schema), String(provenance.recordCount), String(provenance.rejectedCount),
      isAnnounced ? "a" : isDurable ? "d" : "f", Stamp.field(provenance.etag), Stamp.field(provenance.lastModified),
    ]
    let cursor = Stamp.field(provenance.cursor, upTo: Stamp.maxValidatorBytes + 1)
    if let credentials = provenance.credentials {
      fields += [cursor, Hex.text(credentials)]
    } else if cursor != "-" {
      fields.append(cursor)
    }
    let body = fields.joined(separator: "\t")
    return Array("\(Stamp.version)\t\(Hex.text(ContentHash.of(body.utf8)))\t\(body)".utf8)
  }

  /// Parses a line; nil when it is incomplete, altered or of another version.
  static func parse(_ line: ArraySlice<UInt8>) -> (name: String, stamp: Stamp, isAnnounced: Bool)? {
    guard line.count <= maxLineBytes else { return nil }
    let parts = line.split(separator: tab, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual(version.utf8), hex(parts[1]) == ContentHash.of(parts[2]) else {
      return nil
    }
    let fields = parts[2].split(separator: tab, omittingEmptySubsequences: false)
    guard (11...13).contains(fields.count), let name = text(fields[0]), let size: Int64 = number(fields[1]), size >= 0,
      let hash = hex(fields[2]), let writtenAt: Int64 = number(fields[3]), let resource = hex(fields[4]),
      let schema = hex(fields[5]), let records: Int = number(fields[6]), records >= 0,
      let rejected: Int = number(fields[7]), rejected >= 0, fields[8].count == 1,
      let state = fields[8].first, "adf".utf8.contains(state), let etag = optional(fields[9]),
      let lastModified = optional(fields[10])
    else { return nil }
    var provenance = Provenance(
      writtenAt: writtenAt, resource: resource, schema: schema, recordCount: records, rejectedCount: rejected,
      etag: etag, lastModified: lastModified)
    if fields.count > 11 {
      guard let cursor = optional(fields[11]), cursor != "", fields.count == 13 || cursor != nil else { return nil }
      provenance.cursor = cursor
    }
    if fields.count == 13 {
      guard let credentials = hex(fields[12]) else { return nil }
      provenance.credentials = credentials
    }
    let stamp = Stamp(size: size, hash: hash, isDurable: state == UInt8(ascii: "d"), provenance: provenance)
    return (name, stamp, state == UInt8(ascii: "a"))
  }

  // MARK: - Fields

  /// Encodes an optional text; a text that is too long counts as absent.
  private static func field(_ text: String?, upTo limit: Int = maxValidatorBytes) -> String {
    guard let text, text.utf8.count <= limit else { return "-" }
    return text == "-" ? "%2D" : escaped(text)
  }

  /// Escapes the characters that would end a field or a line.
  private static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    PercentCoding.append(Array(text.utf8)[...], to: &bytes) { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "%") }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hex(_ field: ArraySlice<UInt8>) -> UInt64? {
    field.count == 16 ? UInt64(String(decoding: field, as: UTF8.self), radix: 16) : nil
  }

  private static func number<Number: FixedWidthInteger>(_ field: ArraySlice<UInt8>) -> Number? {
    Number(String(decoding: field, as: UTF8.self))
  }

  /// Decodes a text or its absence; nil when the field is neither.
  private static func optional(_ field: ArraySlice<UInt8>) -> String?? {
    field.elementsEqual("-".utf8) ? .some(nil) : text(field).map(Optional.some)
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String? {
    guard PercentCoding.isWellFormed(field) else { return nil }
    return String(validating: PercentCoding.decode(field), as: UTF8.self)
  }
}
