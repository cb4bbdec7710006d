/// The offsets of a time zone from UTC, from a file of the time zone database (RFC 9636).
package struct ZoneRules: Sendable, Hashable {
  /// A change of the offset.
  package struct Transition: Sendable, Hashable {
    /// The instant of the change, in seconds since 1970.
    package let at: Int64
    /// Seconds east of UTC before the change, and after it.
    package let before: Int, after: Int
  }

  /// The changes of the file, in their order.
  private let transitions: [Transition]
  /// The offset before the first change.
  private let first: Int
  /// The rule for the changes after the last one of the file; nil if its last offset is valid for ever.
  private let rest: YearlyRule?

  /// Reads a file of version 2 or later; nil for other bytes.
  package init?(tzif bytes: [UInt8]) {
    var reader = TZifReader(bytes)
    guard let old = reader.header(), old.version >= UInt8(ascii: "2"), reader.skip(old.size(ofTimes: 4)),
      let header = reader.header(), let times = reader.times(header), let types = reader.types(header)
    else { return nil }
    let indices = times.map(\.type) + [0]
    guard indices.allSatisfy({ $0 < types.count }), reader.skip(header.size(afterTypes: 8)) else { return nil }
    first = types[0]
    var transitions: [Transition] = []
    for (index, time) in times.enumerated() {
      let before = index == 0 ? types[0] : types[times[index - 1].type]
      guard transitions.last.map({ $0.at < time.at }) ?? true else { return nil }
      transitions.append(Transition(at: time.at, before: before, after: types[time.type]))
    }
    self.transitions = transitions
    guard let footer = reader.footer() else { return nil }
    rest = footer.isEmpty ? nil : YearlyRule(footer)
    if !footer.isEmpty, rest == nil { return nil }
  }

  /// Seconds east of UTC at an instant, in seconds since 1970.
  package func offset(at seconds: Int64) -> Int {
    let changes = transitions(near: seconds)
    if let last = changes.last(where: { $0.at <= seconds }) { return last.after }
    if let next = changes.first { return next.before }
    return transitions.last.map { $0.at <= seconds ? $0.after : first } ?? rest?.standard ?? first
  }

  /// The instants of a repeated hour, in seconds since 1970, if an instant is in its first or its second pass.
  ///
  /// The two passes have the same local times: when clocks are set back by an hour, it is the hour before and after.
  package func fold(at seconds: Int64) -> (start: Int64, turn: Int64, end: Int64)? {
    for change in transitions(near: seconds) where change.after < change.before {
      let length = Int64(change.before - change.after)
      if change.at - length <= seconds, seconds < change.at + length {
        return (change.at - length, change.at, change.at + length)
      }
    }
    return nil
  }

  /// The instant of a local time, as seconds since 1970 that were read as UTC.
  ///
  /// If the local time occurs twice, the first of the two instants; if the clocks skip it, the instant of the change.
  package func instant(ofLocal seconds: Int64) -> Int64 {
    let day: Int64 = 86_400
    let offsets = [offset(at: seconds - day), offset(at: seconds + day)]
    let instants = offsets.map { seconds - Int64($0) }.filter { $0 + Int64(offset(at: $0)) == seconds }
    if let instant = instants.min() { return instant }
    return transitions(near: seconds - Int64(offsets[0])).first { $0.after > $0.before }?.at
      ?? seconds - Int64(offsets[0])
  }

  /// The changes within some days of an instant and the last change before these, in order.
  private func transitions(near seconds: Int64) -> [Transition] {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].at <= seconds { low = middle + 1 } else { high = middle }
    }
    let known = transitions[max(0, low - 2)..<min(transitions.count, low + 2)]
    guard low == transitions.count, let rest else { return Array(known) }
    let last = transitions.last?.at ?? .min
    return Array(known) + rest.transitions(around: seconds).filter { $0.at > last }
  }
}

/// Reads the parts of a file of the time zone database (RFC 9636, section 3).
private struct TZifReader {
  struct Header {
    let version: UInt8
    let isUTC: Int, isStandard: Int, leaps: Int, times: Int, types: Int, names: Int

    /// The size of the data block, in bytes.
    func size(ofTimes bytes: Int) -> Int { times * (bytes + 1) + types * 6 + size(afterTypes: bytes) }
    /// The size of what follows the types, in bytes.
    func size(afterTypes bytes: Int) -> Int { names + leaps * (bytes + 4) + isStandard + isUTC }
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func skip(_ count: Int) -> Bool {
    guard rest.count >= count else { return false }
    rest = rest.dropFirst(count)
    return true
  }

  private mutating func integer(_ bytes: Int) -> Int64? {
    guard rest.count >= bytes else { return nil }
    var value = UInt64(0)
    for byte in rest.prefix(bytes) { value = value << 8 | UInt64(byte) }
    rest = rest.dropFirst(bytes)
    return bytes == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
  }

  mutating func header() -> Header? {
    guard rest.starts(with: "TZif".utf8), rest.count >= 44, let version = rest.dropFirst(4).first else { return nil }
    rest = rest.dropFirst(20)
    var counts: [Int] = []
    for _ in 0..<6 {
      // More than any zone has; a larger number would overflow.
      guard let count = integer(4), (0...100_000).contains(count) else { return nil }
      counts.append(Int(count))
    }
    return Header(
      version: version, isUTC: counts[0], isStandard: counts[1], leaps: counts[2], times: counts[3], types: counts[4],
      names: counts[5])
  }

  mutating func times(_ header: Header) -> [(at: Int64, type: Int)]? {
    var instants: [Int64] = []
    for _ in 0..<header.times {
      guard let instant = integer(8) else { return nil }
      instants.append(instant)
    }
    guard rest.count >= header.times else { return nil }
    let types = rest.prefix(header.times)
    rest = rest.dropFirst(header.times)
    return zip(instants, types).map { ($0, Int($1)) }
  }

  /// The offset of each type, in seconds east of UTC.
  mutating func types(_ header: Header) -> [Int]? {
    var offsets: [Int] = []
    for _ in 0..<header.types {
      // RFC 9636, section 3.2: no zone has an offset outside of this range.
      guard let offset = integer(4), (-89_999...93_599).contains(offset), skip(2) else { return nil }
      offsets.append(Int(offset))
    }
    return offsets.isEmpty ? nil : offsets
  }

  /// The text after the data: a rule, between two ends of a line.
  mutating func footer() -> ArraySlice<UInt8>? {
    guard rest.first == 0x0A, let end = rest.dropFirst().firstIndex(of: 0x0A) else { return nil }
    return rest.dropFirst()[..<end]
  }
}
