internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import StreamCompression

/// Reads the members of a zip archive one after the other, while the archive arrives.
///
/// The headers before the members are read, and the directory at the end is compared with them: an archive that was cut
/// has no directory. Members that are not selected are skipped.
final class ZipStage: BodyStage {
  /// The next part of the archive.
  private enum State {
    /// The signature of a header.
    case signature
    /// A header, of which `length` bytes are needed next; the bytes that have arrived are in `pending`.
    case header(ZipHeader.Kind, length: Int)
    /// The content of a member that is not compressed.
    case stored(rest: UInt64)
    case deflated
    /// The descriptor after a member whose header did not contain its size.
    case descriptor
    /// Bytes that are ignored.
    case skip(rest: UInt64)
    case end
  }

  private static let pieceBytes = 64 << 10

  private let format: ResponseFormat
  private let stage: any BodyStage
  private let glob: MemberPattern?
  private let bound: UnpackedBound
  private var state = State.signature
  private let pending = ByteBuffer(capacity: 256)
  private var member: ZipHeader.Member?
  private var isWanted = false
  private var inflater: Inflater?
  /// Unpacked bytes, and how many of them the stage has read.
  private let piece = ByteBuffer(capacity: pieceBytes)
  private var position = 0
  /// Whether the unpacked bytes end the member.
  private var isLastPiece = false
  private var sum = CRC32()
  private var size: UInt64 = 0
  private var memberCount = 0
  private var listedCount = 0
  private var wantedName: String?
  private var names: [String] = []

  init(_ format: ResponseFormat, _ bound: UnpackedBound, each stage: any BodyStage) {
    self.format = format
    self.stage = stage
    self.bound = bound
    glob = format.members.map { MemberPattern($0) }
  }

  // MARK: - Bytes

  func read(_ input: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) throws(ReactorError) -> Int {
    var index = 0
    while true {
      let rest = UnsafeBufferPointer(rebasing: input[index...])
      switch state {
      case .signature:
        guard take(4, rest, &index) else { return index }
        try beginHeader()
      case .header(let kind, let length):
        guard take(length, rest, &index) else { return index }
        try endHeader(kind, length, out)
      case .stored(let left):
        guard left > 0 else {
          try endMember(out)
          continue
        }
        guard !rest.isEmpty else { return index }
        let count = Int(min(left, UInt64(min(rest.count, Self.pieceBytes))))
        let part = UnsafeBufferPointer(rebasing: rest[..<count])
        let used = isWanted ? try stage.read(part, into: out) : count
        try add(UnsafeBufferPointer(rebasing: part[..<used]))
        state = .stored(rest: left - UInt64(used))
        index += used
        if used < count || out.count >= StagedBody.pieceBytes { return index }
      case .deflated:
        if try !passPiece(out) { return index }
        if isLastPiece {
          isLastPiece = false
          if member?.hasDescriptor ?? false { state = .descriptor } else { try endMember(out) }
          continue
        }
        let wasFull = piece.count == Self.pieceBytes
        guard !rest.isEmpty || wasFull else { return index }
        index += try inflate(rest)
      case .descriptor:
        guard take(4, rest, &index) else { return index }
        // The signature may be absent; then these bytes are the checksum.
        let hasSignature = pending.number(0) as UInt32 == 0x0807_4B50
        let length = (hasSignature ? 8 : 4) + (member?.isLarge ?? false ? 16 : 8)
        guard take(length, UnsafeBufferPointer(rebasing: input[index...]), &index) else { return index }
        readDescriptor(hasSignature)
        pending.removeAll()
        try endMember(out)
      case .skip(let left):
        guard left > 0 else {
          state = .signature
          continue
        }
        guard !rest.isEmpty else { return index }
        let count = Int(min(left, UInt64(rest.count)))
        index += count
        state = .skip(rest: left - UInt64(count))
      case .end:
        guard rest.isEmpty else { throw damaged("other bytes follow its end") }
        return index
      }
    }
  }

  func endDocument(into out: ByteBuffer) throws(ReactorError) { try finish(into: out) }

  func finish(into out: ByteBuffer) throws(ReactorError) {
    guard case .end = state else {
      if memberCount == 0, listedCount == 0 {
        throw .parser("the response is \(pending.count == 0 ? "empty" : "too short") where a zip archive should be")
      }
      throw .parser(
        "the response is a part of a zip archive: it ends "
          + (member.map { "in the member \(Self.quoted($0.name))" } ?? "before the archive's directory is complete"))
    }
    guard wantedName != nil else {
      var error = ReactorError.parser(
        "the zip archive has no member "
          + (format.members.map { "that matches \(Self.quoted($0))" } ?? "that is a file")
      )
      if !names.isEmpty { error.help = "its members are \(names.map(Self.quoted).joined(separator: ", "))" }
      error.key = "decode"
      throw error
    }
    try stage.finish(into: out)
  }

  /// Moves bytes to `pending` until it has `count` bytes; returns whether it has them.
  private func take(_ count: Int, _ rest: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
    let missing = count - pending.count
    guard missing > 0 else { return true }
    let taken = min(missing, rest.count)
    pending.append(UnsafeBufferPointer(rebasing: rest[..<taken]))
    index += taken
    return taken == missing
  }

  // MARK: - Headers

  private func beginHeader() throws(ReactorError) {
    guard let kind = ZipHeader.Kind(rawValue: pending.number(0)) else {
      guard memberCount == 0, listedCount == 0 else { throw damaged("a header has an unknown signature") }
      let start = TextExcerpt.quoted(pending.bytes, from: 0)
      throw ReactorError(.parser, "the response is not a zip archive; it begins with \(start)")
    }
    if listedCount > 0, kind == .member { throw damaged("a member follows the directory") }
    state = .header(kind, length: kind.fixedLength)
  }

  private func endHeader(_ kind: ZipHeader.Kind, _ length: Int, _ out: ByteBuffer) throws(ReactorError) {
    let whole = kind.length(pending)
    guard length >= whole else {
      state = .header(kind, length: whole)
      return
    }
    defer { pending.removeAll() }
    switch kind {
    case .member: try beginMember(ZipHeader.Member(pending))
    case .entry:
      listedCount += 1
      state = .signature
    case .largeEnd:
      let size: UInt64 = pending.number(4)
      guard size >= 44, size < 1 << 32 else { throw damaged("its end has a wrong length") }
      state = .skip(rest: size - 44)
    case .locator: state = .signature
    case .end:
      let declared: UInt16 = pending.number(10)
      guard UInt16(truncatingIfNeeded: listedCount) == declared || declared == .max, listedCount == memberCount else {
        throw damaged("its directory lists \(listedCount) members, and \(memberCount) were read")
      }
      state = .end
    }
  }

  private func beginMember(_ member: ZipHeader.Member) throws(ReactorError) {
    memberCount += 1
    self.member = member
    (sum, size) = (CRC32(), 0)
    isWanted = !member.isFolder && !member.name.hasPrefix("__MACOSX/") && glob?.matches(member.name) ?? true
    if !member.isFolder, names.count < 10 { names.append(member.name) }
    if isWanted {
      try checkReadable(member)
      if let wantedName, !format.name.hasRows {
        var error = ReactorError.parser(
          "the zip archive has several members to read, \(Self.quoted(wantedName)) and \(Self.quoted(member.name)), "
            + "and \(format.name.title) is read from one")
        error.help = "name one in the flow's 'decode', for example 'members: \"\(member.name)\"'"
        error.key = "decode"
        throw error
      }
      wantedName = member.name
      stage.beginMember(member.name)
    } else if let compressed = member.compressedSize {
      state = .skip(rest: compressed)
      self.member = nil
      return
    }
    switch member.method {
    case 0:
      guard let size = member.compressedSize else {
        throw unreadable(member, "it is not compressed, and its size is not given before its content")
      }
      state = .stored(rest: size)
    case 8:
      do throws(CompressionError) { inflater = try Inflater() } catch { throw .parser(error.message) }
      piece.removeAll()
      position = 0
      state = .deflated
    default: throw unreadable(member, "its compression (method \(member.method)) is not supported")
    }
  }

  private func checkReadable(_ member: ZipHeader.Member) throws(ReactorError) {
    guard !member.isEncrypted else { throw unreadable(member, "it is encrypted") }
    guard member.method == 0 || member.method == 8 else {
      throw unreadable(member, "its compression (method \(member.method)) is not supported")
    }
  }

  private func readDescriptor(_ hasSignature: Bool) {
    let start = hasSignature ? 4 : 0
    member?.checksum = pending.number(start)
    let isLarge = member?.isLarge ?? false
    member?.size = isLarge ? pending.number(start + 12) : UInt64(pending.number(start + 8) as UInt32)
  }

  // MARK: - Content

  /// Passes unpacked bytes to the stage; returns whether it has read all of them.
  private func passPiece(_ out: ByteBuffer) throws(ReactorError) -> Bool {
    while position < piece.count {
      if !isWanted {
        position = piece.count
        break
      }
      position += try stage.read(UnsafeBufferPointer(rebasing: piece.bytes[position...]), into: out)
      if out.count >= StagedBody.pieceBytes { return false }
    }
    return true
  }

  private func inflate(_ input: UnsafeBufferPointer<UInt8>) throws(ReactorError) -> Int {
    guard let inflater else { return 0 }
    piece.removeAll()
    position = 0
    piece.reserve(Self.pieceBytes)
    let room = UnsafeMutableRawBufferPointer(start: piece.base, count: Self.pieceBytes)
    let step: (isEnd: Bool, read: Int, written: Int)
    do throws(CompressionError) {
      step = try inflater.step(UnsafeRawBufferPointer(input), into: room)
    } catch {
      throw unreadable(member, error.message)
    }
    guard step.read > 0 || step.written > 0 || step.isEnd || input.isEmpty else {
      throw unreadable(member, "it is not valid deflate data")
    }
    // The bytes are there already; this sets their number.
    piece.append(UnsafePointer(piece.base), step.written)
    isLastPiece = step.isEnd
    try add(piece.bytes)
    return step.read
  }

  /// Adds unpacked content to the size and the checksum of the member.
  private func add(_ bytes: UnsafeBufferPointer<UInt8>) throws(ReactorError) {
    sum.add(bytes)
    size += UInt64(bytes.count)
    try bound.add(bytes.count)
  }

  private func endMember(_ out: ByteBuffer) throws(ReactorError) {
    guard let member else { return }
    guard sum.sum == member.checksum, size == member.size ?? size else {
      throw unreadable(member, "its checksum or its size does not match its content")
    }
    self.member = nil
    inflater = nil
    state = .signature
    if isWanted { try stage.endDocument(into: out) }
  }

  // MARK: - Errors

  private func damaged(_ reason: String) -> ReactorError { .parser("the zip archive is damaged: \(reason)") }

  private func unreadable(_ member: ZipHeader.Member?, _ reason: String) -> ReactorError {
    .parser("the member \(Self.quoted(member?.name ?? "")) of the zip archive cannot be read: \(reason)")
  }

  static func quoted(_ name: String) -> String {
    Array(name.utf8).withUnsafeBufferPointer { TextExcerpt.quoted($0, from: 0) }
  }
}
