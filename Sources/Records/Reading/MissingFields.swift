internal import JSONSyntax
internal import SourceDiagnostics

/// An optional field that no record has, probably because its name is misspelt.
///
/// The records have a similar name that no field reads.
public struct MissingField: Sendable, Hashable {
  /// The field's name in the schema.
  public let name: String
  /// The field's path in a record: `$.cty`.
  public let path: String
  /// The similar path that records have and that no other field reads: `$.city`.
  public let near: String
}

/// The fields that no record has had so far and that are probably misspelt.
///
/// Only fields that are absent in the first record are candidates. Most flows have no candidates, and then no other
/// record is examined. Most candidates appear in one of the next records, so names are compared only after these
/// records.
struct MissingFields {
  /// The number of records in which a field may be absent before its name is compared.
  private static let patience = 16

  private let plan: MappingPlan
  /// The first record, until its names have been compared.
  private var sample: [UInt8]?
  /// The indices of the fields that no record has had so far.
  private var absent: [Int]
  private var count = 1
  private var suspects: [(position: Int, field: MissingField)] = []

  /// Examines the first record.
  ///
  /// - Parameter record: returns the record's text; not called when no field is absent
  init(_ row: UnsafePointer<Cell>, of plan: MappingPlan, record: () -> [UInt8]?) {
    self.plan = plan
    let fields = plan.fields
    absent = (0..<plan.width).filter { position in
      let field = fields[position]
      return row[position].kind == .absent && !field.isQuery && (field.policy == .optional || field.policy == .constant)
    }
    if !absent.isEmpty { sample = record() }
  }

  /// Whether no field remains that is, or may be, misspelt.
  var isEmpty: Bool { sample == nil && suspects.isEmpty }

  /// The fields that are probably misspelt.
  var fields: [MissingField] {
    var compared = self
    compared.compare()
    return compared.suspects.map(\.field)
  }

  /// Examines another record, before default values are filled in.
  mutating func take(_ row: UnsafePointer<Cell>) {
    guard sample != nil else { return suspects.removeAll { row[$0.position].kind != .absent } }
    absent.removeAll { row[$0].kind != .absent }
    if absent.isEmpty { sample = nil }
    count += 1
    if count == Self.patience { compare() }
  }

  /// Keeps only the fields that are probably misspelt.
  private mutating func compare() {
    guard let text = sample else { return }
    sample = nil
    guard let record = try? JSONValue(parsing: text) else { return }
    let mappings = plan.objects[0].mappings
    for position in absent {
      guard let field = Self.misspelt(mappings[position], in: record, beside: mappings) else { continue }
      suspects.append((position, field))
    }
  }

  private static func misspelt(
    _ mapping: FieldMapping, in record: JSONValue, beside others: [FieldMapping]
  ) -> MissingField? {
    UnreadMember.path(instead: mapping, in: record, beside: others) { NearMiss.slip(for: $0, in: $1) }
      .map { MissingField(name: mapping.name, path: mapping.from.text, near: $0) }
  }
}

/// Searches a record for an unread member whose name the author of an absent field probably meant.
enum UnreadMember {
  /// The path of a member that the field was probably meant to read; nil when there is none.
  ///
  /// - Parameters:
  ///   - record: a record without the field
  ///   - others: all fields; a member that one of them reads is not suggested
  ///   - choose: returns the candidate that is similar to a name; nil when there is none
  static func path(
    instead mapping: FieldMapping, in record: JSONValue, beside others: [FieldMapping],
    choose: (String, [String]) -> String?
  ) -> String? {
    guard let steps = mapping.from.singularSteps else { return nil }
    var value = record
    for (count, step) in steps.enumerated() {
      guard case .name(let name) = step, case .object(let object) = value else { return nil }
      if let next = value[name] {
        value = next
        continue
      }
      let walked = steps[..<count]
      let read = Set(
        others.compactMap { other -> String? in
          guard other.value == nil, let steps = other.from.singularSteps, steps.count > count,
            steps[..<count] == walked,
            case .name(let name) = steps[count]
          else { return nil }
          return name
        })
      guard let near = choose(name, object.members.map(\.name).filter { !read.contains($0) }) else { return nil }
      return JSONPath(singular: walked + [.name(near)] + steps[(count + 1)...]).text
    }
    return nil
  }
}

extension RecordDecoder {
  /// The maximum size in bytes of a record that is examined as a whole; its JSON values need many times this memory.
  private static let longestLook = 64 << 10

  /// The text of the record in a token range; nil for a record over the size limit.
  func shortRecord(_ range: Range<Int>) -> [UInt8]? {
    let start = tokens.start(range.lowerBound)
    let end = range.upperBound < tokens.count ? tokens.start(range.upperBound) : tokens.end
    guard end - start <= Self.longestLook else { return nil }
    return Array(UnsafeBufferPointer(start: tokens.base + start, count: end - start))
  }
}
