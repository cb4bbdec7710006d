internal import JSONSyntax

/// Joins the records of a pull with those of an older result, in memory that grows with the keys of the new ones alone.
///
/// First every new batch is given to `add`, and what `takeStored` gives goes to a store that can be read again; then every
/// old batch is given to `pass`, in order, and what `takePieces` gives is the joined result; `finish` ends it. The bytes of
/// new records stay in the store and are named by their places there.
///
/// - By key: a new record takes the place of the old one with the same key; new keys come last, in the order of the pull. Of
///   new records with one key the last is taken. Old records are never lost to each other, for their keys were told apart
///   when they were written.
/// - Without key: all new records come behind all old ones.
///
/// One task owns a merge at a time.
public final class RecordMerge {
  /// A part of the result.
  public enum Piece: Sendable, Hashable {
    /// These bytes.
    case bytes([UInt8])
    /// Bytes of the store: where they begin and how many they are.
    case stored(Int64, Int)
  }

  /// Where a new record is.
  private struct Place {
    var start: Int64
    var length: Int32
    /// Whether it stands in the result already.
    var isPlaced = false
  }

  /// What identifies a record, hashed with seeds that are new in each process, so that no server can make two keys equal.
  private struct Fingerprint: Hashable {
    let first: Int
    let second: Int

    init(_ key: UnsafeBufferPointer<UInt8>) {
      func hash(_ salt: UInt8) -> Int {
        var hasher = Hasher()
        hasher.combine(salt)
        hasher.combine(bytes: UnsafeRawBufferPointer(key))
        return hasher.finalize()
      }
      first = hash(1)
      second = hash(2)
    }
  }

  private let writer: RecordWriter
  /// The fields of the key; nil when nothing is replaced.
  private let key: [Int]?
  private var places: [Fingerprint: Place] = [:]
  /// New records without a place yet, the next one last.
  private var waiting: [Place] = []
  /// New records when there is no key, and how many of their bytes stand in the result.
  private var appended = 0
  private var appendedBytes: Int64 = 0
  private let stored = ByteBuffer(capacity: 4096)
  private var storedCount: Int64 = 0
  private let out = ByteBuffer(capacity: 4096)
  private var pieces: [Piece] = []
  private let scratch = ByteBuffer(capacity: 256)
  private var hasBegun = false

  /// Records of the result so far.
  public private(set) var count = 0

  /// A merge into a format; without a key all new records are put behind the old ones.
  ///
  /// - Parameter key: names of fields of the schema; nil when one of them is not a field of it.
  public init?(_ plan: MappingPlan, format: RecordFormat, key names: [String]?) {
    let fields = plan.objects[0].mappings.map(\.name)
    let places = names?.compactMap { fields.firstIndex(of: $0) }
    guard places?.count == names?.count else { return nil }
    writer = RecordWriter(plan, format: format)
    key = places
  }

  // MARK: - New records

  /// Takes new records.
  public func add(_ batch: RecordBatch) {
    for row in 0..<batch.count {
      let start = stored.count
      guard let print = fingerprint(batch, row) else {
        // Kept with what comes before and after it, so that all of them are one piece.
        appended += 1
        writer.separate(stored)
        writer.appendBody(batch, row, to: stored)
        writer.endRecord(stored)
        continue
      }
      writer.appendBody(batch, row, to: stored)
      // A record is never longer than what the reader holds, 32 MiB.
      places[print] = Place(
        start: storedCount + Int64(start), length: Int32(truncatingIfNeeded: stored.count - start))
    }
  }

  /// Bytes to be put at the store's end, when there are enough to be worth it; nil before.
  ///
  /// - Parameter isLast: whether few are enough
  public func takeStored(isLast: Bool = false) -> [UInt8]? {
    guard stored.count >= 256 << 10 || (isLast && stored.count > 0) else { return nil }
    defer { stored.removeAll() }
    storedCount += Int64(stored.count)
    return stored.copy()
  }

  // MARK: - The result

  /// Takes the next old records; all new ones are there.
  public func pass(_ batch: RecordBatch) {
    begin()
    for row in 0..<batch.count {
      writer.beginRecord(out)
      count += 1
      if let print = fingerprint(batch, row), let found = places.index(forKey: print) {
        // Several old records with one key, which no run writes, are all replaced by the one.
        places.values[found].isPlaced = true
        put(places.values[found])
      } else {
        writer.appendBody(batch, row, to: out)
      }
      writer.endRecord(out)
    }
  }

  /// The parts of the result made so far, in order.
  public func takePieces() -> [Piece] {
    flush()
    defer { pieces = [] }
    return pieces
  }

  /// Puts the records behind that have no place yet, in the pull's order; gives at most a few thousand pieces at a time, and
  /// nil when the result is whole. All that `takeStored` gives is in the store.
  public func finish() -> [Piece]? {
    guard !isWhole else { return nil }
    if !isFinishing {
      isFinishing = true
      begin()
      waiting = places.values.filter { !$0.isPlaced }.sorted { $0.start > $1.start }
      places = [:]
      if appended > 0 { appendedBytes = writer.skipSeparator() }
      count += appended
    }
    if key == nil {
      let length = min(storedCount - appendedBytes, 1 << 20)
      if length > 0 {
        flush()
        pieces.append(.stored(appendedBytes, Int(length)))
        appendedBytes += length
        return takePieces()
      }
    }
    for _ in 0..<2048 {
      guard let place = waiting.popLast() else {
        writer.end(out)
        isWhole = true
        break
      }
      writer.beginRecord(out)
      count += 1
      put(place)
      writer.endRecord(out)
    }
    return takePieces()
  }

  private var isFinishing = false
  private var isWhole = false

  private func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    writer.begin(out)
  }

  private func put(_ place: Place) {
    flush()
    pieces.append(.stored(place.start, Int(place.length)))
  }

  private func flush() {
    guard out.count > 0 else { return }
    pieces.append(.bytes(out.copy()))
    out.removeAll()
  }

  private func fingerprint(_ batch: RecordBatch, _ row: Int) -> Fingerprint? {
    guard let key else { return nil }
    scratch.removeAll()
    let writer = CellWriter(batch: batch)
    for field in key {
      writer.append(batch.cells[row * batch.width + field], to: scratch)
      // No JSON text holds this byte.
      scratch.append(0x1F)
    }
    return scratch.withBytes { Fingerprint($0) }
  }
}
