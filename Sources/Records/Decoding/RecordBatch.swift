internal import JSONSyntax

/// Mapped records of one parsed window: rows × declared fields.
///
/// A batch is valid only during the call that receives it: its texts are views into the window, and the window's memory
/// is reused. One task owns a batch at a time, so the type is not Sendable.
public final class RecordBatch {
  let plan: MappingPlan
  /// The cells in row-major order, `count × width`.
  @exclusivity(unchecked) private(set) var cells: UnsafeMutablePointer<Cell>
  @exclusivity(unchecked) private var capacity: Int
  /// The number of fields in a row.
  let width: Int
  /// The number of records in the batch.
  @exclusivity(unchecked) public private(set) var count = 0
  /// Texts that differ from their bytes in the window, for example because an escape was replaced.
  let text = ByteBuffer(capacity: 4096)
  /// The window's first byte.
  @exclusivity(unchecked) private(set) var window = JSONTokens.none.base
  /// The index of the window's first record, rejected or not, in the response.
  private(set) var firstIndex = 0
  /// The rejected records of the window, in order; filled only if the reader requests the list.
  var rejected: [(index: Int, error: RecordError)] = []
  /// Whether the rows are keys of deleted records instead of records.
  public internal(set) var isDeletion = false

  init(plan: MappingPlan) {
    self.plan = plan
    width = plan.width
    capacity = 64
    cells = .allocate(capacity: max(capacity * width, 1))
  }

  deinit { cells.deallocate() }

  /// The next row to fill, with all cells absent. It becomes part of the batch when `commitRow` is called.
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
  ///   - window: the window's first byte; its memory must not move before the next call
  ///   - firstIndex: the index of the window's first record in the response
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
