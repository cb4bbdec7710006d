internal import ByteCodings

extension Stamp {
  /// The maximum length of a line in bytes, without its end. Longer lines were not written by this program.
  static let maxLineBytes = 16 * 1024

  private static let maxValidatorBytes = 1024
  private static let version = "r\(StateVersion.stamps.number)"
  private static let tab = UInt8(ascii: "\t")

  /// Returns the journal's line for a file with this stamp, without the line end.
  ///
  /// The fields of a line are separated by tabs:
  ///
  ///     r1 CHECK NAME SIZE HASH WRITTEN RESOURCE SCHEMA RECORDS REJECTED DURABLE ETAG LAST-MODIFIED
  ///     [CURSOR [CREDENTIALS [RUN]]]
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
    if let run = provenance.run {
      fields += [cursor, provenance.credentials.map { Hex.text($0) } ?? "-", Hex.text(run)]
    } else if let credentials = provenance.credentials {
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
    var fields = Fields(rest: line)
    guard let version = fields.next(), version.elementsEqual(Stamp.version.utf8), let check = fields.next(),
      let body = fields.rest, hex(check) == ContentHash.of(body), let name = fields.next().flatMap(text),
      let size: Int64 = number(fields.next()), size >= 0, let hash = hex(fields.next()),
      let writtenAt: Int64 = number(fields.next()), let resource = hex(fields.next()), let schema = hex(fields.next()),
      let records: Int = number(fields.next()), records >= 0, let rejected: Int = number(fields.next()), rejected >= 0,
      let word = fields.next(), word.count == 1, let state = word.first, "adf".utf8.contains(state),
      let etag = fields.next().flatMap(optional), let lastModified = fields.next().flatMap(optional)
    else { return nil }
    var provenance = Provenance(
      writtenAt: writtenAt, resource: resource, schema: schema, recordCount: records, rejectedCount: rejected,
      etag: etag, lastModified: lastModified)
    if let field = fields.next() {
      let credentials = fields.next()
      guard let cursor = optional(field), cursor != "", credentials != nil || cursor != nil else { return nil }
      provenance.cursor = cursor
      let run = fields.next()
      if let run {
        guard let hash = hex(run) else { return nil }
        provenance.run = hash
      }
      if let credentials, run == nil || !credentials.elementsEqual("-".utf8) {
        guard let digest = hex(credentials) else { return nil }
        provenance.credentials = digest
      }
    }
    guard fields.rest == nil else { return nil }
    let stamp = Stamp(size: size, hash: hash, isDurable: state == UInt8(ascii: "d"), provenance: provenance)
    return (name, stamp, state == UInt8(ascii: "a"))
  }

  /// The number of the form of a line that is complete and not altered; nil for other lines.
  ///
  /// Lines of every form begin with the letter `r`, the number and the checksum of the rest.
  static func form(of line: ArraySlice<UInt8>) -> Int64? {
    var fields = Fields(rest: line)
    guard let version = fields.next(), version.first == UInt8(ascii: "r"), let check = fields.next(),
      let body = fields.rest, hex(check) == ContentHash.of(body)
    else { return nil }
    return number(version.dropFirst())
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

  /// The fields of a line, from the first to the last.
  private struct Fields {
    /// The line after the field that was read last; nil after the last field.
    var rest: ArraySlice<UInt8>?

    mutating func next() -> ArraySlice<UInt8>? {
      guard let line = rest else { return nil }
      let end = line.firstIndex(of: tab)
      rest = end.map { line[($0 + 1)...] }
      return line[..<(end ?? line.endIndex)]
    }
  }

  private static func hex(_ field: ArraySlice<UInt8>?) -> UInt64? {
    field.flatMap { $0.count == 16 ? Hex.number($0) : nil }
  }

  private static func number<Number: FixedWidthInteger>(_ field: ArraySlice<UInt8>?) -> Number? {
    field.flatMap { Number(String(decoding: $0, as: UTF8.self)) }
  }

  /// Decodes a text or its absence; nil when the field is neither.
  private static func optional(_ field: ArraySlice<UInt8>) -> String?? {
    field.count == 1 && field.first == UInt8(ascii: "-") ? .some(nil) : text(field).map(Optional.some)
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String? {
    guard PercentCoding.isWellFormed(field) else { return nil }
    return String(validating: PercentCoding.decode(field), as: UTF8.self)
  }
}
