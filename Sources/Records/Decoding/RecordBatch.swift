internal import JSONSyntax

/// Mapped records over one parsed window: rows × declared fields.
///
/// A batch is only valid inside the call it is given to: its texts are views into the window, which is reused. One task
/// owns it at a time, so it is not Sendable.
public final class RecordBatch {
  let plan: MappingPlan
  /// Row-major, `count × width`.
  @exclusivity(unchecked) private(set) var cells: UnsafeMutablePointer<Cell>
  @exclusivity(unchecked) private var capacity: Int
  /// Fields of a row.
  let width: Int
  /// Records in the batch.
  @exclusivity(unchecked) public private(set) var count = 0
  /// Texts that are not in the window as they should be written.
  let text = ByteBuffer(capacity: 4096)
  /// The window's first byte.
  @exclusivity(unchecked) private(set) var window = JSONTokens.none.base
  /// The index in the response of the first record of the window, whether it fits or not.
  private(set) var firstIndex = 0
  /// The records of the window that did not fit, in order, where a reader asks for them.
  var rejected: [(index: Int, error: RecordError)] = []
  /// Whether these are keys of deleted records instead of records.
  public internal(set) var isDeletion = false

  init(plan: MappingPlan) {
    self.plan = plan
    width = plan.width
    capacity = 64
    cells = .allocate(capacity: max(capacity * width, 1))
  }

  deinit { cells.deallocate() }

  /// The row to be filled next, all absent; it counts once `commitRow` is called.
  @inline(__always)
  func nextRow() -> UnsafeMutablePointer<Cell> {
    if count == capacity { grow() }
    let row = cells + count * width
    for position in 0..<width { row[position] = .absent }
    return row
  }

  @inline(__always)
  func commitRow() { count += 1 }

  /// Empties the batch for the records of another window.
  ///
  /// - Parameters:
  ///   - window: its first byte; it must stay where it is until the next call
  ///   - firstIndex: the index of its first record in the response
  func begin(window: UnsafePointer<UInt8>, firstIndex: Int) {
    self.window = window
    self.firstIndex = firstIndex
    count = 0
    text.removeAll()
    if !rejected.isEmpty { rejected.removeAll(keepingCapacity: true) }
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Cell>.allocate(capacity: max(capacity * 2 * width, 1))
    larger.update(from: cells, count: capacity * width)
    cells.deallocate()
    cells = larger
    capacity *= 2
  }

  /// The names of the fields, in order; one empty name when records are persisted whole.
  public var fieldNames: [String] { plan.objects[0].mappings.map(\.name) }

  /// The compact JSON text of a record that is persisted whole.
  func wholeText(_ row: Int) -> [UInt8] {
    let out = ByteBuffer(capacity: 256)
    CellWriter(batch: self).append(cells[row * width], to: out)
    return out.copy()
  }
}
