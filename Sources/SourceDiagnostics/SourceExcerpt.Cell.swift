extension SourceExcerpt {
  /// One cell of a printed line: a character with its combining marks, or a visible replacement.
  struct Cell {
    /// The byte offset in the file at which the cell starts.
    let offset: Int
    /// The printed text.
    var text: String
    /// The number of terminal columns that the cell takes.
    var width: Int
    /// The number of scalars in the cell so far, at most `mostScalars`.
    var scalars = 1
    /// Whether the next scalar belongs to this cell, because the last scalar is a zero-width joiner.
    var joinsNext = false
    /// Whether the cell is an emoji, which a joiner or the emoji variation selector may follow.
    var isEmoji = false
    /// Whether the cell is only the first of the two scalars of a flag.
    var isHalfFlag = false
  }

  /// Splits bytes into cells; a byte that is not valid UTF-8 becomes a cell such as `<FF>`.
  static func cells(of bytes: ArraySlice<UInt8>) -> [Cell] {
    var cells: [Cell] = []
    var column = 0
    var index = bytes.startIndex
    while index < bytes.endIndex {
      guard let (scalar, length) = UTF8Decoding.scalar(in: bytes, at: index) else {
        let digits = String(bytes[index], radix: 16, uppercase: true)
        let text = "<" + (digits.count < 2 ? "0" : "") + digits + ">"
        cells.append(Cell(offset: index, text: text, width: text.count))
        column += text.count
        index += 1
        continue
      }
      if let last = cells.indices.last, cells[last].absorb(scalar) {
        index += length
        continue
      }
      let cell = cell(for: scalar, offset: index, column: column)
      cells.append(cell)
      column += cell.width
      index += length
    }
    return cells
  }

  private static func cell(for scalar: Unicode.Scalar, offset: Int, column: Int) -> Cell {
    if scalar == "\t" {
      // Replace a tab by spaces: terminals have different tab stops, and the mark must be below its character on all of
      // them.
      let width = 4 - column % 4
      return Cell(offset: offset, text: String(repeating: " ", count: width), width: width)
    }
    guard scalar.isShownAsItself, !scalar.isCombining else {
      return Cell(offset: offset, text: scalar.escaped, width: scalar.escaped.count)
    }
    var cell = Cell(offset: offset, text: String(Character(scalar)), width: scalar.isWide ? 2 : 1)
    cell.isEmoji = scalar.value > 0x7F && scalar.properties.isEmoji
    cell.isHalfFlag = scalar.isRegionalIndicator
    return cell
  }
}

extension SourceExcerpt.Cell {
  /// The maximum number of scalars in one cell.
  private static let mostScalars = 12

  /// Adds a scalar that is drawn together with this cell; returns false if the scalar starts a new cell.
  mutating func absorb(_ scalar: Unicode.Scalar) -> Bool {
    guard scalars < Self.mostScalars, !text.hasPrefix("<U+"), text != " " else { return false }
    if joinsNext, scalar.properties.isEmoji, scalar.value > 0x7F {
      joinsNext = false
    } else if isHalfFlag, scalar.isRegionalIndicator {
      isHalfFlag = false
      width = 2
    } else if isEmoji, scalar.value == 0x200D {
      joinsNext = true
    } else if scalar.value == 0xFE0F, isEmoji {
      width = 2
    } else if !scalar.isCombining {
      return false
    }
    text.unicodeScalars.append(scalar)
    scalars += 1
    return true
  }
}
