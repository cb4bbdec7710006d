internal import CExpat
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// Converts an XML document to one JSON document whose records are an array.
///
/// The records are written as they are read. The elements around them are kept in memory, at most 32 MiB, and follow
/// the records. If the path of the records has several parents of the same name, the records of all of them are one
/// list.
final class XMLStage: BodyStage {
  /// The maximum nesting of elements.
  static let depthLimit = 200

  private let layout: XMLLayout
  private let keepsPrefixes: Bool
  private var parser: OpaquePointer?
  /// The bytes that the parser has not seen yet.
  private let input = ByteBuffer(capacity: 8192)
  /// The number of bytes that the parser has read since the last event: the size of an incomplete tag.
  private var silentBytes = 0
  private var hadEvent = false
  private var start: [UInt8] = []
  /// The error that stopped the parsing, if the parser itself did not report it.
  private var error: ReactorError?

  /// The output buffer of the current call, for the parser's callbacks.
  private var out = ByteBuffer(capacity: 64)
  private var rows = RowOutput()
  /// The elements around the records, from the root on; each stands for all elements that have its path.
  private var outer: [XMLElement] = []
  /// The number of open elements that lead to the records.
  private var matched = 0
  /// The open elements inside a record, or outside the path to the records.
  private var open: [XMLElement] = []
  /// Whether the outermost of the open elements is a record.
  private var isRecord = false
  private var depth = 0
  /// The bytes of the open record, and of the elements around the records.
  private var recordBytes = 0
  private var outerBytes = 0

  init(_ layout: XMLLayout, keepsPrefixes: Bool) throws(ReactorError) {
    self.layout = layout
    self.keepsPrefixes = keepsPrefixes
    guard cexpat_loads() != 0 else {
      var error = ReactorError.parser("XML cannot be read: \(String(cString: cexpat_failure()))")
      error.help = "install libexpat, which Debian calls libexpat1"
      throw error
    }
    let events = cexpat_events(
      start: { context, name, attributes in
        XMLStage.stage(context) { $0.begin(name.map { String(cString: $0) } ?? "", attributes) }
      },
      end: { context, _ in XMLStage.stage(context) { $0.end() } },
      text: { context, text, count in
        XMLStage.stage(context) { stage in
          text?.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
            stage.add(UnsafeBufferPointer(start: $0, count: Int(count)))
          }
        }
      },
      doctype: { context, _, _, _, _ in
        XMLStage.stage(context) { $0.stop("the response has a document type declaration, which is not supported") }
      })
    parser = cexpat_create(events, Unmanaged.passUnretained(self).toOpaque())
    guard parser != nil else { throw .parser("there is no memory for reading XML") }
  }

  deinit { cexpat_free(parser) }

  private static func stage(_ context: UnsafeMutableRawPointer?, _ event: (XMLStage) -> Void) {
    guard let context else { return }
    let stage = Unmanaged<XMLStage>.fromOpaque(context).takeUnretainedValue()
    guard stage.error == nil else { return }
    stage.hadEvent = true
    event(stage)
  }

  // MARK: - Bytes

  func read(_ bytes: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) throws(ReactorError) -> Int {
    if start.count < 64 { start += bytes.prefix(64) }
    input.append(bytes)
    guard silentBytes == 0 || silentBytes + input.count <= RecordLimits().heldBytes else { throw Self.endlessTag }
    // The parser reads an incomplete tag anew each time. So it gets the bytes again only when their number has doubled.
    if input.count >= silentBytes { try parse(isFinal: false, into: out) }
    return bytes.count
  }

  func endDocument(into out: ByteBuffer) throws(ReactorError) {
    try parse(isFinal: true, into: out)
    writeEnd(out)
    hasEnded = true
  }

  func finish(into out: ByteBuffer) throws(ReactorError) {
    if !hasEnded { try endDocument(into: out) }
  }

  private func parse(isFinal: Bool, into out: ByteBuffer) throws(ReactorError) {
    hadEvent = false
    self.out = out
    let isGood = input.bytes.withMemoryRebound(to: CChar.self) {
      cexpat_parse(parser, $0.baseAddress, $0.count, isFinal ? 1 : 0) != 0
    }
    silentBytes = hadEvent ? 0 : silentBytes + input.count
    input.removeAll()
    if let error { throw error }
    guard isGood else { throw syntaxError(isFinal: isFinal) }
    guard silentBytes <= RecordLimits().heldBytes else { throw Self.endlessTag }
  }

  private static var endlessTag: ReactorError {
    .parser("a tag or comment of the response is larger than \(RecordLimits().heldBytes >> 20) MiB")
  }

  private func syntaxError(isFinal: Bool) -> ReactorError {
    let words = cexpat_message(parser).map { String(cString: $0) } ?? "syntax error"
    let line = cexpat_line(parser)
    if depth == 0, open.isEmpty, outer.isEmpty {
      if start.isEmpty { return .parser("the response is empty where XML should be") }
      let begin = start.withUnsafeBufferPointer { TextExcerpt.quoted($0, from: 0) }
      return .parser("the response is not XML: \(words) in line \(line); it begins with \(begin)")
    }
    if isFinal, depth > 0 { return .cut("the response ends in the middle of the XML document, in line \(line)") }
    return .parser("the response is not well-formed XML: \(words) in line \(line)")
  }

  private func stop(_ message: String) {
    error = .parser(message + " (line \(cexpat_line(parser)))")
    cexpat_stop(parser)
  }

  // MARK: - Elements

  private func name(_ name: String) -> String {
    guard !keepsPrefixes, let colon = name.lastIndex(of: ":") else { return name }
    return String(name[name.index(after: colon)...])
  }

  private func begin(_ fullName: String, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
    depth += 1
    guard depth <= Self.depthLimit else { return stop("elements are nested deeper than \(Self.depthLimit)") }
    let name = name(fullName)
    let element: XMLElement
    if open.isEmpty, matched < layout.records.count, matched == depth - 1, layout.records[matched] == name {
      if matched == layout.records.count - 1 {
        element = XMLElement(name, path: layout.lists.isEmpty ? nil : [])
        open.append(element)
        (isRecord, recordBytes) = (true, 0)
      } else {
        if outer.count == matched { outer.append(XMLElement(name)) }
        element = outer[matched]
        matched += 1
      }
    } else {
      element = XMLElement(name, path: isRecord && !layout.lists.isEmpty ? open.last?.path.map { $0 + [name] } : nil)
      open.append(element)
    }
    count(name.utf8.count + 8)
    var index = 0
    while let attribute = attributes?[index], let value = attributes?[index + 1] {
      index += 2
      add(String(cString: attribute), String(cString: value), to: element)
    }
  }

  private func add(_ attribute: String, _ value: String, to element: XMLElement) {
    // Declarations of namespaces are not data.
    if attribute == "xmlns" || attribute.hasPrefix("xmlns:") { return }
    if attribute == "xsi:nil" {
      if value == "true" || value == "1" { element.markNil() }
      return
    }
    let json = ByteBuffer(capacity: 64)
    json.append(quoted: value)
    count(json.count + attribute.utf8.count + 8)
    element.add("@" + name(attribute), json.copy())
  }

  private func add(_ text: UnsafeBufferPointer<UInt8>) {
    guard let element = open.last ?? (matched > 0 ? outer[matched - 1] : nil) else { return }
    // White space between the records is not held.
    if open.isEmpty, text.allSatisfy({ $0 <= 0x20 }) { return }
    count(text.count)
    element.append(text)
  }

  private func end() {
    depth -= 1
    guard let element = open.popLast() else {
      matched -= 1
      return
    }
    let json = element.json
    if let parent = open.last {
      return parent.add(
        element.name, json, isList: element.path.map { layout.lists.contains($0) } ?? false)
    }
    if isRecord {
      isRecord = false
      if rows.count == 0 { writeStart() }
      rows.begin(out)
      out.append(json)
    } else if matched > 0 {
      outer[matched - 1].add(element.name, json)
    } else {
      root = element
    }
  }

  private var hasEnded = false
  /// The root of a document in which nothing leads to the records.
  private var root: XMLElement?

  private var path: String { JSONPath(singular: layout.records.map { .name($0) }).text }

  /// Counts bytes that are kept in memory.
  private func count(_ bytes: Int) {
    let limit = RecordLimits().heldBytes
    if isRecord { recordBytes += bytes } else { outerBytes += bytes }
    guard recordBytes > limit || outerBytes > limit else { return }
    let size = "larger than \(limit >> 20) MiB"
    if isRecord { return stop("a record of the response is \(size)") }
    stop(
      layout.records.isEmpty
        ? "without 'records' the whole document is one record, and it is \(size)"
        : "the elements around the records, which are looked for at \(path), are \(size)")
  }

  // MARK: - Output

  /// Writes the names that lead to the records.
  private func writeStart() {
    for name in layout.records {
      out.append(UInt8(ascii: "{"))
      out.append(quoted: name)
      out.append(UInt8(ascii: ":"))
    }
  }

  /// Writes the elements around the records.
  private func writeEnd(_ out: ByteBuffer) {
    self.out = out
    if let root {
      out.append(UInt8(ascii: "{"))
      out.append(quoted: root.name)
      out.append(UInt8(ascii: ":"))
      out.append(root.json)
      return out.append(UInt8(ascii: "}"))
    }
    // A list without elements looks like a wrong path. It is one if other elements look like a list.
    let hasList =
      outer.count == layout.records.count - 1 && (rows.count > 0 || outer.last?.repeatedNames.isEmpty ?? true)
    if hasList {
      if rows.count == 0 { writeStart() }
      rows.finish(out)
    } else {
      for element in outer {
        out.append(UInt8(ascii: "{"))
        out.append(quoted: element.name)
        out.append(UInt8(ascii: ":"))
      }
      out.append(UInt8(ascii: "{"))
    }
    for (index, element) in outer.enumerated().reversed() {
      let isInnermost = index == outer.count - 1
      element.appendMembers(to: out, isContinued: hasList || !isInnermost)
      out.append(UInt8(ascii: "}"))
    }
    out.append(UInt8(ascii: "}"))
  }
}
