internal import FlowCompiler
internal import Storage

/// A plan as one run leaves it to the next: which inputs it was made from, and its flows.
///
/// It is kept as bytes that say themselves whether they are whole; anything else is no plan.
struct RememberedPlan: Sendable, Equatable {
  /// A digest of what is known before anything is read but the flow files.
  var key: UInt64
  /// What the loader asked besides, and a digest of each answer.
  var questions: [LoaderQuestion]
  /// All flows, in plan order.
  var flows: [RememberedFlow]

  private static let magic: UInt64 = 0x31_6E61_6C70_2D72  // "r-plan1" as it lies in memory

  /// Seconds that no flow takes; a number beyond them, or none at all, was not written by this program.
  private static let longest = 1e9

  /// The plan's bytes: what it holds, and behind that their hash.
  var bytes: [UInt8] {
    var out = PlanWriter(room: 64 * questions.count + 256 * flows.count)
    out.put(Self.magic)
    out.put(key)
    out.put(UInt64(questions.count))
    for question in questions {
      out.put(question.kind.rawValue)
      out.put(question.path)
      out.put(question.answer)
    }
    out.put(UInt64(flows.count))
    // By index: a loop over the elements copies every flow.
    for place in flows.indices {
      out.put(flows[place].id)
      out.put(flows[place].file)
      out.put(UInt64(flows[place].line))
      out.put(flows[place].host)
      out.put(flows[place].outputPath)
      out.put(flows[place].rejectedPath)
      out.put(flows[place].timeout.bitPattern)
      out.put(flows[place].toleratesSaveFailure ? 1 : 0)
      out.put(flows[place].resourceKey)
      out.put(flows[place].schema)
      out.put(flows[place].expiresAfter)
    }
    out.put(ContentHash.of(out.bytes))
    return out.bytes
  }

  /// A plan of these parts.
  init(key: UInt64, questions: [LoaderQuestion], flows: [RememberedFlow]) {
    self.key = key
    self.questions = questions
    self.flows = flows
  }

  /// Reads a plan that was made from certain inputs; nil where the bytes hold none, another one, or a damaged one.
  init?(_ bytes: [UInt8], key: UInt64) {
    let end = bytes.count - MemoryLayout<UInt64>.size
    guard end > 0 else { return nil }
    let plan = bytes.withUnsafeBytes { bytes -> RememberedPlan? in
      var input = PlanReader(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
      guard input.number() == Self.magic, input.number() == key else { return nil }
      var hash = ContentHash()
      hash.update(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
      guard hash.value == UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self)) else {
        return nil
      }
      return RememberedPlan(&input, key: key)
    }
    guard let plan else { return nil }
    self = plan
  }

  private init?(_ input: inout PlanReader, key: UInt64) {
    self.init(key: key, questions: [], flows: [])
    guard let asked = input.count() else { return nil }
    for _ in 0..<asked {
      guard let kind = input.number().flatMap(LoaderQuestion.Kind.init), let path = input.text(),
        let answer = input.number()
      else { return nil }
      questions.append(LoaderQuestion(kind: kind, path: path, answer: answer))
    }
    guard let count = input.count() else { return nil }
    flows.reserveCapacity(count)
    // Most flows share these, and one copy does for them.
    var (file, host) = ("", "")
    for _ in 0..<count {
      guard let id = input.text(), let line = (input.text(known: &file), input.number().flatMap(Int.init(exactly:))).1,
        input.text(known: &host), let path = input.text(), let rejected = input.optionalText(),
        let timeout = input.number(), let tolerates = input.number(), let resource = input.number(),
        let schema = input.number(), let expires = input.optionalNumber(),
        (0...Self.longest).contains(Double(bitPattern: timeout))
      else { return nil }
      flows.append(
        RememberedFlow(
          id: id, file: file, line: line, host: host, outputPath: path, rejectedPath: rejected,
          timeout: Double(bitPattern: timeout), toleratesSaveFailure: tolerates != 0, resourceKey: resource,
          schema: schema, expiresAfter: expires))
    }
    guard input.isAtEnd else { return nil }
  }
}

/// Numbers of eight bytes, and texts behind their lengths.
private struct PlanWriter {
  private(set) var bytes: [UInt8] = []

  init(room: Int) { bytes.reserveCapacity(room) }

  mutating func put(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }

  mutating func put(_ text: String) {
    put(UInt64(text.utf8.count))
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ text: String?) {
    put(text == nil ? 0 : 1)
    if let text { put(text) }
  }

  mutating func put(_ number: Double?) {
    put(number == nil ? 0 : 1)
    if let number { put(number.bitPattern) }
  }
}

/// Reads what a `PlanWriter` wrote; every answer is nil once the bytes do not suffice.
private struct PlanReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func number() -> UInt64? {
    guard bytes.count - offset >= 8 else { return nil }
    defer { offset += 8 }
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// A number of things that take eight bytes at least.
  mutating func count() -> Int? {
    guard let number = number(), number <= UInt64((bytes.count - offset) / 8) else { return nil }
    return Int(number)
  }

  mutating func text() -> String? {
    guard let piece = piece() else { return nil }
    return String(validating: piece, as: UTF8.self)
  }

  /// Whether there is a text; it is left as it is where it is already known.
  mutating func text(known: inout String) -> Bool {
    guard let piece = piece() else { return false }
    if known.withUTF8({ $0.elementsEqual(piece) }) { return true }
    guard let text = String(validating: piece, as: UTF8.self) else { return false }
    known = text
    return true
  }

  mutating func optionalText() -> String?? {
    switch number() {
    case 0: .some(nil)
    case 1: text().map { .some($0) }
    default: nil
    }
  }

  mutating func optionalNumber() -> Double?? {
    switch number() {
    case 0: .some(nil)
    case 1: number().map { .some(Double(bitPattern: $0)) }
    default: nil
    }
  }

  private mutating func piece() -> UnsafeBufferPointer<UInt8>? {
    guard let length = number(), length <= UInt64(bytes.count - offset) else { return nil }
    defer { offset += Int(length) }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(length)]).assumingMemoryBound(to: UInt8.self)
  }
}
