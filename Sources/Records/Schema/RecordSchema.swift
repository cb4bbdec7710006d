public import Expressions
public import FieldTypes
public import JSONSyntax

/// The mapping of a flow's records: ordered fields, each with path, type and missing policy.
public struct RecordSchema: Sendable, Hashable {
  /// The schema's name, for messages.
  public var name: String
  /// The fields in output order; empty when records are persisted whole.
  public var fields: [FieldMapping]
  /// Names of the fields that identify a record, if declared.
  public var key: [String]
  /// Whether the fields were inferred, so that members of a record that no field reads are reported.
  public var isInferred = false
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

  /// The schema without a mapping: each record is persisted whole.
  public static let wholeRecords = RecordSchema(wholeRecords: "(whole records)")

  /// The schema for reading persisted records.
  ///
  /// It has the same fields, each under its own name and in its persisted format.
  public var persisted: RecordSchema {
    guard !keepsWholeRecords else { return self }
    return RecordSchema(name: name, fields: fields.map(\.persisted), key: key)
  }

  /// The schema with only the fields that are read from a response.
  var withoutComputed: RecordSchema {
    guard !keepsWholeRecords else { return self }
    var schema = self
    schema.fields.removeAll { $0.value != nil }
    return schema
  }
}

extension RecordSchema {
  /// The schema with only the named fields, all of which are read from the payload.
  ///
  /// - Parameter other: a further field, which may be missing
  func reading(_ names: [String], optionally other: String?) -> RecordSchema {
    let fields = fields.filter { names.contains($0.name) || $0.name == other }.map { field in
      var field = field
      field.value = nil
      if !names.contains(field.name) { field.missing = .optional }
      return field
    }
    return RecordSchema(name: name, fields: fields)
  }
}

/// One field of a schema.
///
/// A field has a name in the record, the path of its value in the payload, a type and a missing policy.
public struct FieldMapping: Sendable, Hashable {
  /// The treatment of a field that is absent or null.
  public enum MissingPolicy: Sendable, Hashable {
    /// The record is rejected.
    case required
    /// The field is null.
    case optional
    /// The field gets this value, which has the format of the record.
    case `default`(JSONValue)
  }

  /// The field's name in the record.
  public var name: String
  /// The path of the value, relative to the record in the payload.
  public var from: JSONPath
  /// The field's type.
  public var type: FieldType
  /// The policy for an absent or null value.
  public var missing: MissingPolicy
  /// Whether values of other types are converted, if nothing is lost; for types of a single value.
  public var coerces = false
  /// The expression of a computed field; nil for a field that is read from the payload.
  public var value: ExpressionTemplate?

  /// Creates a field.
  public init(
    name: String, from: JSONPath, type: FieldType, missing: MissingPolicy = .required, value: ExpressionTemplate? = nil
  ) {
    self.value = value
    self.name = name
    self.from = from
    self.type = type
    self.missing = missing
  }

  /// Creates a field whose value has the field's name in the payload.
  public init(_ name: String, _ type: FieldType, missing: MissingPolicy = .required) {
    self.init(name: name, from: .member(name), type: type, missing: missing)
  }

  /// The same field in a persisted record.
  var persisted: FieldMapping {
    FieldMapping(name: name, from: .member(name), type: type.persisted, missing: missing)
  }
}

/// A field's type.
public typealias FieldType = DeclaredType<FieldMapping>

extension FieldType {
  /// The type of the persisted value of a field with this type.
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
