/// How the body of a response becomes records: its format, and how it is packed.
public struct ResponseFormat: Sendable, Hashable {
  /// A format of responses, as a flow file names it.
  public enum Name: String, Sendable, Hashable, CaseIterable {
    /// One JSON document.
    case json
    /// JSON Lines: one JSON value on each line.
    case jsonLines = "jsonl"
    /// A JSON text sequence (RFC 7464).
    case jsonSequence = "json_seq"
    /// Comma-separated values (RFC 4180).
    case csv
    /// Tab-separated values: CSV with tabs as delimiters.
    case tsv
    /// Plain text; each line is a record.
    case lines
    /// XML 1.0.
    case xml

    /// Whether each row or line of the body is one record, so that the body has no other content.
    public var hasRows: Bool { self != .json && self != .xml }

    /// Whether the body is a table with columns.
    public var isTable: Bool { self == .csv || self == .tsv }
  }

  /// How the body is packed.
  public enum Packing: String, Sendable, Hashable, CaseIterable {
    /// A gzip file (RFC 1952).
    case gzip
    /// A Zstandard file (RFC 8878).
    case zstd
    /// A zip archive.
    case zip
  }

  /// An encoding of text.
  public enum Encoding: String, Sendable, Hashable, CaseIterable {
    case utf8 = "utf-8"
    case latin1
    case windows1252 = "windows-1252"
    /// UTF-16 whose byte order mark gives the order; big endian without one (RFC 2781).
    case utf16 = "utf-16"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
  }

  /// The format of the body, or of each member of an archive.
  public var name: Name
  /// How the body is packed, the outermost packing first; empty for a body that is not packed.
  ///
  /// An archive comes first; its members may have further packings. No packing is listed twice.
  public var packings: [Packing] = []
  /// The pattern of the archive's members that are read; nil for all files.
  public var members: String?
  /// The encoding of text. It is not used for JSON and XML, which have their own rules.
  public var encoding: Encoding = .utf8
  /// The character between two fields of a table, in ASCII.
  public var delimiter: UInt8 = UInt8(ascii: ",")
  /// The character around fields of a table, in ASCII; nil when no field is quoted.
  public var quote: UInt8? = UInt8(ascii: "\"")
  /// Whether the first row of a table has the names of its columns.
  public var hasHeader = true
  /// The names of the columns, which replace those of the header; nil for those of the header.
  public var columns: [String]?
  /// Whether names in XML keep their namespace prefix.
  public var keepsPrefixes = false

  /// Creates a format with the default settings.
  public init(_ name: Name) {
    self.name = name
    if name == .tsv { delimiter = UInt8(ascii: "\t") }
  }

  /// Whether the body is a JSON document that is not packed.
  public var isPlainJSON: Bool { name == .json && packings.isEmpty }
}

extension ResponseFormat {
  /// The format in words, for `reactor explain` and for the identity of a result.
  public var words: String {
    var parts = [name.rawValue]
    if name.isTable {
      parts.append("delimiter \(Self.text(delimiter))")
      parts.append(quote.map { "quote \(Self.text($0))" } ?? "no quotes")
      if let columns {
        parts.append((hasHeader ? "columns instead of the header's: " : "columns: ") + columns.joined(separator: ", "))
      } else {
        parts.append("columns of the header")
      }
    }
    if name.isTable || name == .lines { parts.append(encoding.rawValue) }
    if name == .xml, keepsPrefixes { parts.append("names with prefixes") }
    for packing in packings.reversed() {
      parts.append(
        packing == .zip
          ? "in members of a zip archive" + (members.map { " named \($0)" } ?? "") : "in a \(packing.rawValue) file")
    }
    return parts.joined(separator: ", ")
  }

  private static func text(_ byte: UInt8) -> String { byte == 0x09 ? "tab" : "'\(Unicode.Scalar(byte))'" }
}
