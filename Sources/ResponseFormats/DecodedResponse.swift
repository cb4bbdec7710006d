public import FlowModel
public import ReactorCore
public import Records
internal import StreamCompression

/// A response in a declared format, converted to the JSON that the record reader expects.
public struct DecodedResponse: Sendable {
  /// The records as JSON.
  public let body: ResponseBody
  /// The rows and lines that could not be read.
  public let flaws = RecordFlaws()
  private let counter: ByteCounter

  /// The number of bytes of the response that were read so far, as received.
  public var receivedBytes: Int { counter.count }

  /// Starts to decode a response.
  ///
  /// - Parameters:
  ///   - body: the response as received
  ///   - format: its format
  ///   - layout: the elements of an XML document that the flow uses
  ///   - columns: column names; the header of a table must have at least one of them. Empty for any header
  ///   - maxBytes: the maximum number of unpacked bytes
  /// - Throws: a parser error for an HTML page, and the errors of the body
  public init(
    _ body: ResponseBody, as format: ResponseFormat, layout: XMLLayout = XMLLayout(), columns: Set<String> = [],
    maxBytes: Int = 2 << 30
  ) async throws(ReactorError) {
    counter = ByteCounter(body)
    var body = ResponseBody(counter)
    let isXML = format.name == .xml && format.packings.isEmpty
    if !isXML || layout.records.first?.lowercased() != "html" {
      let expected = format.packings.first.map { "a \($0.rawValue) file" } ?? format.name.title
      body = try await body.refusingPages(as: expected, isXML: isXML)
    }
    let stage = try Self.stage(format, layout, columns, flaws)
    self.body = ResponseBody(StagedBody(body, through: try Self.unpacking(format, into: stage, maxBytes)))
  }

  /// The stages that unpack a body, followed by the stage that converts the unpacked data to JSON.
  private static func unpacking(
    _ format: ResponseFormat, into last: sending any BodyStage, _ maxBytes: Int
  ) throws(ReactorError) -> sending any BodyStage {
    let bound = UnpackedBound(maxBytes)
    var stage = last
    for packing in format.packings.reversed() {
      switch packing {
      case .gzip: stage = PipedStage(try CompressedStage(.gzip, bound), stage)
      case .zstd: stage = PipedStage(try CompressedStage(.zstd, bound), stage)
      // Each member is a separate document, for example a table with a header.
      case .zip: stage = ZipStage(format, bound, each: stage)
      }
    }
    return stage
  }

  /// The stage that turns a body of a format into JSON.
  private static func stage(
    _ format: ResponseFormat, _ layout: XMLLayout, _ columns: Set<String>, _ flaws: RecordFlaws
  ) throws(ReactorError) -> sending any BodyStage {
    switch format.name {
    case .json where format.encoding != .utf8: CharsetStage(format.encoding)
    case .json: PlainStage()
    case .jsonLines: JSONLinesStage(flaws)
    case .jsonSequence: JSONSequenceStage(flaws)
    case .csv, .tsv: PipedStage(TextStage(format.encoding), TableStage(format, columns, flaws))
    case .lines: PipedStage(TextStage(format.encoding), PlainLinesStage())
    case .xml: try XMLStage(layout, keepsPrefixes: format.keepsPrefixes)
    }
  }
}

extension ResponseFormat.Name {
  /// The format's name in messages.
  package var title: String {
    switch self {
    case .json: "JSON"
    case .jsonLines: "JSON Lines"
    case .jsonSequence: "a JSON text sequence"
    case .csv: "CSV"
    case .tsv: "tab-separated values"
    case .lines: "plain lines"
    case .xml: "XML"
    }
  }
}
