internal import FieldTypes
internal import JSONSyntax

extension RecordDecoder {
  private static let fits = Cell.null

  /// Appends the value at a token as compact JSON of a type; returns a mismatch cell on a mismatch.
  ///
  /// After a mismatch the output contains a part of the value. The caller must drop this part.
  func append(
    _ type: MappingPlan.TypeCode, _ token: Int, depth: Int, to out: ByteBuffer, level: Int
  ) throws(JSONError) -> Decoded {
    switch type.kind {
    case .json: return try appendAnything(token, depth: depth, to: out)
    case .list: return try appendList(type, token, depth: depth, to: out, level: level)
    case .object: return try appendObject(type, token, depth: depth, to: out, level: level)
    default:
      scalarText.removeAll()
      let target = Target(row: frame(level).cells, text: scalarText, firstField: 0, level: level + 1)
      let (cell, next) = try decode(type, token, depth: depth, target)
      if cell.kind == .mismatch { return (cell, next) }
      if cell.kind == .null { return (.mismatch(.nullElement, at: tokens.start(token)), next) }
      CellWriter(batch: batch, window: tokens.base, text: scalarText).append(cell, to: out)
      return (Self.fits, next)
    }
  }

  private func appendList(
    _ type: MappingPlan.TypeCode, _ open: Int, depth: Int, to out: ByteBuffer, level: Int
  ) throws(JSONError) -> Decoded {
    guard tokens.first(open) == UInt8(ascii: "[") else {
      return (.mismatch(.type(.list), at: tokens.start(open)), try tokens.skip(open, depth: depth))
    }
    try tokens.checkDepth(depth, open)
    let element = plan.types[Int(type.detail)]
    out.append(UInt8(ascii: "["))
    var token = open + 1
    var index = 0
    var result = Self.fits
    if tokens.first(token) == UInt8(ascii: "]") {
      out.append(UInt8(ascii: "]"))
      return (result, token + 1)
    }
    while true {
      if result.kind == .mismatch {
        token = try tokens.skip(token, depth: depth + 1)
      } else {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        (result, token) = try append(element, token, depth: depth + 1, to: out, level: level)
        if result.kind == .mismatch, nestedField < 0 { nestedPath.append(.index(index)) }
      }
      index += 1
      let separator = tokens.first(token)
      token += 1
      if separator == UInt8(ascii: ",") { continue }
      guard separator == UInt8(ascii: "]") else { throw tokens.unexpected(token - 1, "',' or ']'") }
      out.append(UInt8(ascii: "]"))
      return (result, token)
    }
  }

  private func appendObject(
    _ type: MappingPlan.TypeCode, _ open: Int, depth: Int, to out: ByteBuffer, level: Int
  ) throws(JSONError) -> Decoded {
    guard tokens.first(open) == UInt8(ascii: "{") else {
      return (.mismatch(.type(.object), at: tokens.start(open)), try tokens.skip(open, depth: depth))
    }
    let object = plan.objects[Int(type.detail)]
    let frame = frame(level)
    frame.prepare(Int(object.fieldCount))
    let target = Target(row: frame.cells, text: frame.text, firstField: Int(object.firstField), level: level + 1)
    let next = try walk(Int(object.root), open, depth: depth, target)
    if !plan.queries.isEmpty { try evaluateQueries(of: type.detail, open, target) }
    if let field = firstMismatch(of: object, row: frame.cells) {
      if nestedField < 0 { nestedPath.append(contentsOf: (object.mappings[field].from.singularSteps ?? []).reversed()) }
      var cell = frame.cells[field]
      if cell.kind != .mismatch { cell = .mismatch(.required, at: tokens.start(open)) }
      return (cell, next)
    }
    let writer = CellWriter(batch: batch, window: tokens.base, text: frame.text)
    for field in 0..<Int(object.fieldCount) {
      out.append(object.prefixes[field])
      writer.append(frame.cells[field], to: out)
    }
    out.append(object.fieldCount == 0 ? "{}" : "}")
    return (Self.fits, next)
  }

  /// Applies the missing policies to a row; returns the first field without a valid value, which makes the record
  /// invalid.
  @inline(__always)
  func firstMismatch(of object: MappingPlan.ObjectPlan, row: UnsafeMutablePointer<Cell>) -> Int? {
    firstMismatch(firstField: Int(object.firstField), count: Int(object.fieldCount), row: row)
  }

  @inline(__always)
  func firstMismatch(firstField: Int, count: Int, row: UnsafeMutablePointer<Cell>) -> Int? {
    for position in 0..<count {
      switch row[position].kind {
      case .absent, .null:
        let field = plan.fields[firstField &+ position]
        switch field.policy {
        case .required: return position
        case .optional: row[position] = .null
        case .constant: row[position] = field.constant
        case .computed: break
        }
      case .mismatch: return position
      default: break
      }
    }
    return nil
  }

  /// Copies any JSON value in compact form.
  ///
  /// White space is dropped, numbers are copied as written, and strings have only the escapes that JSON requires.
  private func appendAnything(_ token: Int, depth: Int, to out: ByteBuffer) throws(JSONError) -> Decoded {
    let first = tokens.first(token)
    switch first {
    case UInt8(ascii: "\""):
      guard try appendString(token, to: out) else {
        return (.mismatch(.loneSurrogate, at: tokens.start(token)), token + 1)
      }
      return (Self.fits, token + 1)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return try appendContainer(token, depth: depth, to: out)
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      try tokens.checkLiteral(token)
      out.append(first == UInt8(ascii: "t") ? "true" : first == UInt8(ascii: "f") ? "false" : "null")
      return (Self.fits, token + 1)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      out.append(try tokens.number(token))
      return (Self.fits, token + 1)
    default:
      throw tokens.unexpected(token, "a value")
    }
  }

  private func appendContainer(_ open: Int, depth: Int, to out: ByteBuffer) throws(JSONError) -> Decoded {
    try tokens.checkDepth(depth, open)
    let isObject = tokens.first(open) == UInt8(ascii: "{")
    let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    out.append(tokens.first(open))
    var token = open + 1
    var result = Self.fits
    if tokens.first(token) == close {
      out.append(close)
      return (result, token + 1)
    }
    while true {
      if isObject {
        guard tokens.first(token) == UInt8(ascii: "\"") else {
          throw tokens.unexpected(token, "a member name in quotes")
        }
        if try !appendString(token, to: out) { result = .mismatch(.loneSurrogate, at: tokens.start(token)) }
        guard tokens.first(token + 1) == UInt8(ascii: ":") else { throw tokens.unexpected(token + 1, "':'") }
        out.append(UInt8(ascii: ":"))
        token += 2
      }
      let (value, next) = try appendAnything(token, depth: depth + 1, to: out)
      if value.kind == .mismatch { result = value }
      token = next + 1
      let separator = tokens.first(next)
      guard separator == UInt8(ascii: ",") || separator == close else {
        throw tokens.unexpected(next, isObject ? "',' or '}'" : "',' or ']'")
      }
      out.append(separator)
      if separator == close { return (result, token) }
    }
  }

  private func appendString(_ token: Int, to out: ByteBuffer) throws(JSONError) -> Bool {
    let content = try tokens.string(token)
    let bytes = UnsafeBufferPointer(start: tokens.base + content.start, count: content.length)
    guard content.hasEscapes else {
      out.append(UInt8(ascii: "\""))
      out.append(bytes)
      out.append(UInt8(ascii: "\""))
      return true
    }
    let text = ByteBuffer(capacity: content.length)
    guard EscapedText.unescape(bytes, into: text) else { return false }
    text.withBytes { EscapedText.quote($0, into: out) }
    return true
  }

  /// The maximum number of steps for evaluating the path of a field in one record; they take some milliseconds.
  private static var queryBudget: Int { 500_000 }

  /// Reads the fields whose path cannot be followed by the token walk from the root.
  ///
  /// The record is built once as a JSON value, and each path is evaluated on this value. A field of a list type gets
  /// all values that its path selects. A field of any other type gets the only selected value.
  func evaluateQueries(of object: Int32, _ token: Int, _ target: Target) throws(JSONError) {
    guard plan.queries.contains(where: { $0.object == object }) else { return }
    let (record, _) = try tokens.value(token, depth: 0, scratch: scalarText)
    for query in plan.queries where query.object == object {
      let position = Int(query.field) - target.firstField
      let type = plan.types[Int(plan.fields[Int(query.field)].type)]
      // A query that takes longer in one record finds nothing, so that the record is rejected and the others are read.
      guard let values = try? query.path.values(in: record, budget: Self.queryBudget) else {
        target.row[position] = .mismatch(.steps, at: tokens.start(token))
        continue
      }
      let json = ByteBuffer(capacity: 256)
      if type.kind == .list, query.path.singularSteps == nil {
        json.append(json: .array(values))
      } else if let value = values.first, values.count == 1 {
        json.append(json: value)
      } else {
        target.row[position] = values.isEmpty ? .absent : .mismatch(Mismatch(not: type.kind), at: tokens.start(token))
        continue
      }
      var (cell, _) = try decodeElsewhere(type, json, target)
      if cell.kind == .mismatch { cell.value = Int64(tokens.start(token)) }
      target.row[position] = cell
    }
  }
}
