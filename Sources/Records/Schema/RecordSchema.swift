public import Expressions
public import FieldTypes
public import JSONSyntax

/// How the records of a flow are mapped: ordered fields, each with its path in the payload, its type and what happens
/// when it is missing.
public struct RecordSchema: Sendable, Hashable {
  /// The schema's name, for messages.
  public var name: String
  /// The fields in output order; empty when records are persisted as they came.
  public var fields: [FieldMapping]
  /// Names of the fields that identify a record, if declared.
  public var key: [String]
  /// Whether each record is persisted whole, as compact JSON, instead of being mapped.
  public let keepsWholeRecords: Bool

  /// A schema of declared fields.
  public init(name: String, fields: [FieldMapping], key: [String] = []) {
    self.name = name
    self.fields = fields
    self.key = key
    self.keepsWholeRecords = false
  }

  private init(wholeRecords name: String) {
    self.name = name
    self.fields = []
    self.key = []
    self.keepsWholeRecords = true
  }

  /// No mapping: each record is persisted whole.
  public static let wholeRecords = RecordSchema(wholeRecords: "(whole records)")

  /// The schema that reads what this one has written: the same fields, each under its own name and in its own shape.
  public var persisted: RecordSchema {
    guard !keepsWholeRecords else { return self }
    return RecordSchema(name: name, fields: fields.map(\.persisted), key: key)
  }

  /// The fields that are read from a response.
  var withoutComputed: RecordSchema {
    guard !keepsWholeRecords else { return self }
    return RecordSchema(name: name, fields: fields.filter { $0.value == nil }, key: key)
  }
}

extension RecordSchema {
  /// The named fields, each read from the payload.
  func reading(_ names: [String]) -> RecordSchema {
    let fields = fields.filter { names.contains($0.name) }.map { field in
      var field = field
      field.value = nil
      return field
    }
    return RecordSchema(name: name, fields: fields)
  }
}

/// One field: its name in the record, where its value is in the payload, its type and its missing policy.
public struct FieldMapping: Sendable, Hashable {
  /// What happens to a field that is absent or null.
  public enum MissingPolicy: Sendable, Hashable {
    /// The record is bad.
    case required
    /// The field is null.
    case optional
    /// The field takes this value, given in the record's own shape.
    case `default`(JSONValue)
  }

  /// The field's name in the record.
  public var name: String
  /// Where its value is, relative to the record in the payload.
  public var from: JSONPath
  /// The field's type.
  public var type: FieldType
  /// What happens when the value is absent or null.
  public var missing: MissingPolicy
  /// What the field is computed from; nil for one that is read.
  public var value: ExpressionTemplate?

  /// A field.
  public init(
    name: String, from: JSONPath, type: FieldType, missing: MissingPolicy = .required, value: ExpressionTemplate? = nil
  ) {
    self.value = value
    self.name = name
    self.from = from
    self.type = type
    self.missing = missing
  }

  /// The same field in a persisted record.
  var persisted: FieldMapping {
    FieldMapping(name: name, from: .member(name), type: type.persisted, missing: missing)
  }
}

/// A field's type.
public typealias FieldType = DeclaredType<FieldMapping>

extension FieldType {
  /// The type of what a field of this type persists.
  var persisted: FieldType {
    switch self {
    case .timestamp: .timestamp(.iso8601)
    case .list(let element): .list(element.persisted)
    case .object(let fields): .object(fields.map(\.persisted))
    case .plain, .enumeration: self
    }
  }
}

extension JSONPath {
  /// `$['name']`, correct for any name.
  static func member(_ name: String) -> JSONPath { JSONPath(singular: [.name(name)]) }
}
