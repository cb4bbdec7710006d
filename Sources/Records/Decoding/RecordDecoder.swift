internal import FieldTypes
internal import JSONSyntax

/// Maps the records of a window into cells by walking their tokens once.
///
/// Every value is checked against JSON's grammar, mapped or not. Nothing is allocated per record or field. Texts
/// without escapes remain in the window; rewritten texts go to the batch's text buffer. One task owns a decoder at a
/// time.
final class RecordDecoder {
  /// The destination of the cells of one object.
  struct Target {
    let row: UnsafeMutablePointer<Cell>
    let text: ByteBuffer
    /// Index of the object's first field in the plan. The position of a cell is the index of its field minus this
    /// index.
    let firstField: Int
    /// The nesting depth of the object: the number of declared objects that contain it.
    let level: Int
  }

  let plan: MappingPlan
  let batch: RecordBatch
  /// The plan's node for the whole record.
  private let root: Int
  /// The tokens of the window that is being read.
  @exclusivity(unchecked) var tokens: JSONTokens
  /// A buffer for the text of a nested scalar, one at a time.
  let scalarText = ByteBuffer(capacity: 256)
  /// The JSON of one computed value, and the indexer that reads this JSON; reused for all records to avoid allocations.
  private(set) lazy var computed = (json: ByteBuffer(capacity: 64), indexer: JSONIndexer())
  /// The path from the field to the first nested mismatch of a record, innermost step first.
  @exclusivity(unchecked) var nestedPath: [JSONPath.Step] = []
  /// The index of the field with the mismatch at `nestedPath`; -1 without a mismatch.
  @exclusivity(unchecked) var nestedField = -1
  /// The names of members of records that no field reads, if the schema was inferred.
  private(set) var unread: Set<String> = []
  private let reportsUnread: Bool
  private var frames: [Frame] = []
  /// The remembered members of the last object at each node: `memory[node × memberMemory + position]`.
  ///
  /// `position` is the position of the member in the object.
  private let memory: UnsafeMutablePointer<Remembered>

  /// The number of members of an object that are remembered.
  private static let memberMemory = 32

  /// A member's name and the node that it leads to.
  ///
  /// Objects of one kind mostly have the same members in the same order. One comparison therefore usually replaces the
  /// search.
  private struct Remembered {
    /// The name's first eight bytes.
    var word: UInt64
    /// The name's length in bytes; `Int32.min` matches nothing.
    var length: Int32
    /// Index in the plan's children, or -1 for a member that no field reads.
    var child: Int32
    /// The child's node in the plan, or -1.
    var node: Int32
  }

  init(plan: MappingPlan, batch: RecordBatch, tokens: JSONTokens) {
    self.plan = plan
    root = Int(plan.objects[0].root)
    reportsUnread = plan.schema.isInferred
    self.batch = batch
    self.tokens = tokens
    let count = max(plan.nodes.count * Self.memberMemory, 1)
    memory = .allocate(capacity: count)
    memory.initialize(repeating: Remembered(word: 0, length: .min, child: -1, node: -1), count: count)
  }

  deinit { memory.deallocate() }

  /// Cells and texts of one nested object, reused for each record.
  final class Frame {
    private(set) var cells = UnsafeMutablePointer<Cell>.allocate(capacity: 16)
    private var capacity = 16
    let text = ByteBuffer(capacity: 256)

    deinit { cells.deallocate() }

    func prepare(_ count: Int) {
      if count > capacity {
        cells.deallocate()
        cells = .allocate(capacity: count)
        capacity = count
      }
      for position in 0..<count { cells[position] = .absent }
      text.removeAll()
    }
  }

  func frame(_ level: Int) -> Frame {
    while frames.count <= level { frames.append(Frame()) }
    return frames[level]
  }

  /// Maps the record that starts at a token into a row of cells; returns the token after the record.
  @inline(__always)
  func record(_ token: Int, into row: UnsafeMutablePointer<Cell>) throws(JSONError) -> Int {
    if nestedField >= 0 { nestedField = -1 }
    let target = Target(row: row, text: batch.text, firstField: 0, level: 0)
    let next = try walk(root, token, depth: 0, target)
    if !plan.queries.isEmpty { try evaluateQueries(of: 0, token, target) }
    return next
  }

  /// Reads the value at a token for a node of the tree.
  ///
  /// The node's own fields are read first, then the fields below the node.
  func walk(_ index: Int, _ token: Int, depth: Int, _ target: Target) throws(JSONError) -> Int {
    let node = plan.nodes[index]
    var next = -1
    for position in Int(node.firstField)..<Int(node.firstField &+ node.fieldCount) {
      let field = Int(plan.fieldLists[position])
      if target.level == 0, nestedField < 0, !nestedPath.isEmpty { nestedPath.removeAll() }
      let (cell, after) = try decode(plan.types[Int(plan.fields[field].type)], token, depth: depth, target)
      target.row[field &- target.firstField] = cell
      if cell.kind == .mismatch, target.level == 0, nestedField < 0 { nestedField = field }
      next = after
    }
    switch tokens.first(token) {
    case UInt8(ascii: "{") where node.childCount > 0:
      return try members(index, node, token, depth: depth, target)
    case UInt8(ascii: "[") where node.elementCount > 0:
      return try elements(node, token, depth: depth, target)
    default:
      return next >= 0 ? next : try tokens.skip(token, depth: depth)
    }
  }

  private func members(
    _ index: Int, _ node: MappingPlan.Node, _ open: Int, depth: Int, _ target: Target
  ) throws(JSONError) -> Int {
    try tokens.checkDepth(depth, open)
    var token = open &+ 1
    if tokens.first(token) == UInt8(ascii: "}") { return token &+ 1 }
    let remembered = memory + index &* Self.memberMemory
    var position = 0
    while true {
      var child = recall(token, remembered, position)
      if child == Self.unknown {
        guard tokens.first(token) == UInt8(ascii: "\"") else {
          throw tokens.unexpected(token, "a member name in quotes")
        }
        let name = try tokens.string(token)
        guard tokens.first(token &+ 1) == UInt8(ascii: ":") else { throw tokens.unexpected(token &+ 1, "':'") }
        child = find(name, in: node, remembered, position)
        if child < 0, reportsUnread, index == root { noteUnread(name) }
      }
      position = position &+ 1
      if child < 0 {
        token = try tokens.skip(token &+ 2, depth: depth &+ 1)
      } else {
        token = try member(child, token &+ 2, depth: depth &+ 1, target)
      }
      let separator = tokens.first(token)
      token = token &+ 1
      if separator == UInt8(ascii: ",") { continue }
      if separator == UInt8(ascii: "}") { return token }
      throw tokens.unexpected(token &- 1, "',' or '}'")
    }
  }

  private func elements(
    _ node: MappingPlan.Node, _ open: Int, depth: Int, _ target: Target
  ) throws(JSONError) -> Int {
    try tokens.checkDepth(depth, open)
    var token = open + 1
    if tokens.first(token) == UInt8(ascii: "]") { return token + 1 }
    var wanted = Int(node.firstElement)
    let end = wanted + Int(node.elementCount)
    var index = 0
    while true {
      if wanted < end, Int(plan.elements[wanted].index) == index {
        token = try walk(Int(plan.elements[wanted].node), token, depth: depth + 1, target)
        wanted += 1
      } else {
        token = try tokens.skip(token, depth: depth + 1)
      }
      index += 1
      let separator = tokens.first(token)
      token += 1
      if separator == UInt8(ascii: ",") { continue }
      if separator == UInt8(ascii: "]") { return token }
      throw tokens.unexpected(token - 1, "',' or ']'")
    }
  }

  /// Reads the value of a member into the cells of the fields that select the member's name.
  @inline(__always)
  private func member(_ index: Int, _ token: Int, depth: Int, _ target: Target) throws(JSONError) -> Int {
    let node = plan.nodes[index]
    guard node.leaf >= 0 else {
      // The last value of a repeated name counts, so the cells of an earlier value are reset.
      for position in Int(node.firstBelow)..<Int(node.firstBelow &+ node.belowCount) {
        target.row[Int(plan.fieldLists[position]) &- target.firstField] = .absent
      }
      return try walk(index, token, depth: depth, target)
    }
    let field = Int(node.leaf)
    let (cell, next) = try decode(node.leafType, token, depth: depth, target)
    target.row[field &- target.firstField] = cell
    if cell.kind == .mismatch, target.level == 0, nestedField < 0 {
      nestedField = field
      nestedPath.removeAll()
    }
    return next
  }

  // MARK: - Names

  /// The result of `recall` when the name is not the remembered name.
  private static let unknown = -2

  /// The node of the member at a token, if its name equals the remembered name at the same position.
  ///
  /// The result is -1 if no field reads the member, and `unknown` if the name differs. The grammar of a name is not
  /// checked when it equals a known name.
  @inline(__always)
  private func recall(_ token: Int, _ remembered: UnsafePointer<Remembered>, _ position: Int) -> Int {
    guard position < Self.memberMemory else { return Self.unknown }
    let (open, colon) = (tokens.start(token), tokens.start(token &+ 1))
    let length = colon &- open &- 2
    let known = remembered[position]
    guard Int(known.length) == length, tokens.base[colon] == UInt8(ascii: ":"),
      tokens.base[colon &- 1] == UInt8(ascii: "\""), tokens.base[open] == UInt8(ascii: "\"")
    else { return Self.unknown }
    let start = tokens.base + (open &+ 1)
    guard known.word == word(start, length) else { return Self.unknown }
    if length <= 8 { return Int(known.node) }
    guard known.child >= 0, rest(of: plan.children[Int(known.child)], equals: start) else { return Self.unknown }
    return Int(known.node)
  }

  /// The first eight bytes of a name; bytes after its end are zero. The buffer's padding makes the load safe.
  @inline(__always)
  private func word(_ start: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
    let word = UnsafeRawPointer(start).loadUnaligned(as: UInt64.self).littleEndian
    return length < 8 ? word & ((1 &<< UInt64(truncatingIfNeeded: length &* 8)) &- 1) : word
  }

  /// Finds the node of the member with a name, and remembers it; -1 if no field reads the member.
  private func find(
    _ name: StringToken, in node: MappingPlan.Node, _ remembered: UnsafeMutablePointer<Remembered>, _ position: Int
  ) -> Int {
    if name.hasEscapes { return findEscaped(name, in: node) }
    let start = tokens.base + name.start
    let word = word(start, name.length)
    var found = -1
    var isShared = false
    for index in Int(node.firstChild)..<Int(node.firstChild &+ node.childCount) {
      let child = plan.children[index]
      guard child.word == word, Int(child.length) == name.length else { continue }
      if name.length <= 8 || rest(of: child, equals: start) { found = index } else { isShared = true }
    }
    let led = found < 0 ? -1 : plan.children[found].node
    // A name longer than eight bytes is remembered by its start and length. That no field reads it is certain only if
    // no child has the same start and length.
    if position < Self.memberMemory, found >= 0 || !isShared {
      remembered[position] = Remembered(
        word: word, length: Int32(truncatingIfNeeded: name.length), child: Int32(found), node: led)
    }
    return Int(led)
  }

  /// The maximum number of names in `unread`.
  private static let unreadLimit = 20

  private func noteUnread(_ name: StringToken) {
    guard unread.count < Self.unreadLimit else { return }
    let bytes = UnsafeBufferPointer(start: tokens.base + name.start, count: name.length)
    let text = String(decoding: bytes, as: UTF8.self)
    if !plan.schema.fields.contains(where: { $0.name == text }) { unread.insert(text) }
  }

  private func rest(of child: MappingPlan.Child, equals start: UnsafePointer<UInt8>) -> Bool {
    for offset in 8..<Int(child.length) where plan.names[Int(child.name) + offset] != start[offset] { return false }
    return true
  }

  private func findEscaped(_ name: StringToken, in node: MappingPlan.Node) -> Int {
    let text = ByteBuffer(capacity: 64)
    let content = UnsafeBufferPointer(start: tokens.base + name.start, count: name.length)
    guard EscapedText.unescape(content, into: text) else { return -1 }
    for position in Int(node.firstChild)..<Int(node.firstChild + node.childCount) {
      let child = plan.children[position]
      let name = plan.names[Int(child.name)..<Int(child.name + child.length)]
      if text.withBytes({ name.elementsEqual($0) }) { return Int(child.node) }
    }
    return -1
  }
}
