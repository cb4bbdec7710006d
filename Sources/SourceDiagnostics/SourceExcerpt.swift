/// The source line that is shown below a diagnostic, cut to a width, with the columns of its mark.
struct SourceExcerpt {
  /// The printable text of the line.
  let text: String
  /// The zero-based column at which the mark starts.
  let markStart: Int
  /// The width of the mark in columns, at least 1.
  let markWidth: Int

  /// The number of bytes that are read before and after the start of the mark; a longer line is cut.
  private static let bytesBefore = 800
  private static let bytesAfter = 1600
  private static let ellipsis = "..."

  /// Cuts a line around a marked range.
  ///
  /// - Parameters:
  ///   - line: the bytes of one line, with the same indices as in the file.
  ///   - mark: the byte offsets in the file; the part outside the line is ignored.
  ///   - maximumColumns: the maximum width of the text in terminal columns, at least 20.
  init(line: ArraySlice<UInt8>, mark: Range<Int>, maximumColumns: Int) {
    let maximum = max(maximumColumns, 20)
    let start = min(max(mark.lowerBound, line.startIndex), line.endIndex)
    let end = min(max(mark.upperBound, start), line.endIndex)
    let window = Self.window(of: line, around: start)
    let cells = Self.cells(of: window)

    var total = 0
    var columns: [Int] = []
    columns.reserveCapacity(cells.count + 1)
    for cell in cells {
      columns.append(total)
      total += cell.width
    }
    columns.append(total)
    let firstCell = start >= window.endIndex ? cells.count : Self.cell(holding: start, in: cells)
    let lastCell = end > start ? Self.cell(holding: end - 1, in: cells) + 1 : firstCell
    let markColumn = columns[min(firstCell, cells.count)]
    let markEnd = columns[min(lastCell, cells.count)]

    let isCutBefore = window.startIndex > line.startIndex
    let isCutAfter = window.endIndex < line.endIndex
    guard total > maximum || isCutBefore || isCutAfter else {
      text = cells.map(\.text).joined()
      markStart = markColumn
      markWidth = max(1, markEnd - markColumn)
      return
    }

    // Two fifths of the width are before the mark. Space that one side does not need is given to the other side.
    let room = maximum - 2 * Self.ellipsis.count
    var left = max(0, markColumn - room * 2 / 5)
    if total - left < room { left = max(0, total - room) }
    let low = columns.firstIndex { $0 >= left } ?? cells.count
    var high = low
    while high < cells.count, columns[high + 1] - columns[low] <= room { high += 1 }
    let before = low > 0 || isCutBefore ? Self.ellipsis : ""
    let after = high < cells.count || isCutAfter ? Self.ellipsis : ""
    text = before + cells[low..<high].map(\.text).joined() + after
    markStart = before.count + max(0, markColumn - columns[low])
    markWidth = max(1, min(markEnd, columns[high]) - markColumn)
  }

  /// The part of a line around an offset, cut only between Unicode scalars.
  private static func window(of line: ArraySlice<UInt8>, around offset: Int) -> ArraySlice<UInt8> {
    var low = max(line.startIndex, offset - bytesBefore)
    var high = min(line.endIndex, offset + bytesAfter)
    while low > line.startIndex, low < offset, line[low] & 0xC0 == 0x80 { low += 1 }
    while high < line.endIndex, high > offset, line[high] & 0xC0 == 0x80 { high -= 1 }
    return line[low..<high]
  }

  /// The index of the cell that contains a byte of the window.
  private static func cell(holding offset: Int, in cells: [Cell]) -> Int {
    var low = 0
    var high = cells.count
    while low < high {
      let middle = (low + high) / 2
      if cells[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0 }
    return low - 1
  }
}
