internal import FieldTypes
public import Expressions
public import JSONSyntax
public import ReactorCore
internal import Synchronization

/// Encodes records for the body of a request; the reverse of decoding by a schema (upstream's `mapToJSON`).
///
/// Each value is written to the path from which the schema reads it. The input records have the persisted format: each
/// field under its own name.
public struct PayloadEncoder: Sendable {
  /// The result of encoding some records.
  public struct Encoded: Sendable {
    /// The encoded records, in order, each with its index among the input records.
    public var payloads: [(index: Int, value: JSONValue)] = []
    /// The records that do not match the schema.
    public var misfits: [RejectedRecord] = []
  }

  private let fields: [Field]
  private let plan: MappingPlan
  private let transform: RecordTransform?
  private let sendsNulls: Bool

  /// Creates an encoder for a schema. Each field must have its own path, which contains only member names.
  ///
  /// - Parameters:
  ///   - schema: its computed fields are computed from the record
  ///   - sendsNulls: true to write null fields as null, false to omit them
  ///   - recordType: the type of a record of the schema
  ///   - now: the value of `now()` in computed fields
  public init(_ schema: RecordSchema, sendsNulls: Bool, recordType: ExpressionType, now: ExpressionTimestamp) {
    fields = schema.fields.map(Field.init)
    self.sendsNulls = sendsNulls
    let mappings = schema.fields.map { field in
      var persisted = field.persisted
      persisted.value = field.value
      return persisted
    }
    plan = MappingPlan(RecordSchema(name: schema.name, fields: mappings))
    transform =
      schema.fields.contains { $0.value != nil } ? RecordTransform(recordType: recordType, now: now) : nil
  }

  /// Encodes records.
  ///
  /// - Parameter scope: the values besides the record that computed fields may use, by their names
  public func encode(
    _ records: [JSONValue], scope: [String: ExpressionValue] = [:]
  ) async throws(ReactorError) -> Encoded {
    var lines: [UInt8] = []
    for record in records {
      JSONWriter.write(record, into: &lines)
      lines.append(UInt8(ascii: "\n"))
    }
    let misfits = MisfitList()
    var transform = transform
    transform?.scope = scope
    let reader = RecordReader(
      plan: plan, selection: .lines, isStrict: false, onRejected: { misfits.take($0) }, transform: transform)
    var values: [JSONValue] = []
    _ = try await reader.read(ResponseBody(bytes: lines)) { (batch) throws(ReactorError) in
      for row in 0..<batch.count { values.append(payload(of: batch.record(row))) }
    }
    var encoded = Encoded()
    encoded.misfits = misfits.all
    let rejected = Set(encoded.misfits.map(\.index))
    encoded.payloads = zip(records.indices.filter { !rejected.contains($0) }, values).map { (index: $0, value: $1) }
    return encoded
  }

  private func payload(of record: JSONValue) -> JSONValue {
    guard case .object(let object) = record else { return record }
    return Self.object(fields, object, sendsNulls)
  }

  private static func object(_ fields: [Field], _ record: JSONObject, _ sendsNulls: Bool) -> JSONValue {
    var out = JSONValue.object(JSONObject())
    for field in fields {
      let value = record[field.name] ?? .null
      if case .null = value, !sendsNulls { continue }
      out = out.setting(field.steps[...], to: Self.value(value, field.form, sendsNulls))
    }
    return out
  }

  private static func value(_ value: JSONValue, _ form: Form, _ sendsNulls: Bool) -> JSONValue {
    switch (form, value) {
    case (.same, _), (_, .null): return value
    case (.timestamp(let format), .string(let text)): return format.written(text) ?? value
    case (.list(let element), .array(let elements)):
      return .array(elements.map { Self.value($0, element, sendsNulls) })
    case (.object(let fields), .object(let object)): return Self.object(fields, object, sendsNulls)
    default: return value
    }
  }
}

extension PayloadEncoder {
  /// A field with its path in the body.
  private struct Field: Sendable {
    var name: String
    var steps: [JSONPath.Step]
    var form: Form

    init(_ field: FieldMapping) {
      name = field.name
      steps = field.from.singularSteps ?? [.name(field.name)]
      form = Form(field.type)
    }
  }

  /// The conversion that is applied to a persisted value before it is written.
  private indirect enum Form: Sendable {
    case same
    case timestamp(WrittenTimestamp)
    case list(Form)
    case object([Field])

    init(_ type: FieldType) {
      switch type {
      case .timestamp(let format): self = WrittenTimestamp(format).map { .timestamp($0) } ?? .same
      case .list(let element): self = .list(Form(element))
      case .object(let fields): self = .object(fields.map(Field.init))
      default: self = .same
      }
    }
  }
}

/// Collects rejected records in the order in which the reader finds them.
private final class MisfitList: Sendable {
  private let records = Mutex<[RejectedRecord]>([])
  var all: [RejectedRecord] { records.withLock { $0 } }
  func take(_ record: RejectedRecord) { records.withLock { $0.append(record) } }
}

extension JSONValue {
  /// The value with the member at a path set; missing objects on the path are created.
  package func setting(_ steps: ArraySlice<JSONPath.Step>, to value: JSONValue) -> JSONValue {
    guard case .name(let name)? = steps.first else { return value }
    var object = if case .object(let object) = self { object } else { JSONObject() }
    object[name] = (object[name] ?? .null).setting(steps.dropFirst(), to: value)
    return .object(object)
  }
}
