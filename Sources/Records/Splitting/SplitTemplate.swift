public import Expressions
internal import JSONSyntax
internal import ReactorCore

/// A path that depends on the record: `out/{{ record.country }}.csv`.
public struct SplitTemplate: Sendable {
  /// The path, with expressions over `record`.
  public let path: PathTemplate
  private let recordType: ExpressionType
  private let scope: EvaluationScope
  private let key: [String]

  /// Creates a template.
  ///
  /// - Parameters:
  ///   - recordType: the type of `record` in the expressions
  ///   - key: the fields that identify a record in messages
  ///   - scope: the values of all other names
  public init(_ path: PathTemplate, recordType: ExpressionType, key: [String], scope: EvaluationScope) {
    self.path = path
    self.recordType = recordType
    self.key = key
    self.scope = scope
  }

  /// The path of a record.
  ///
  /// - Throws: a parser error that names the record and the expression, when a value cannot be a part of a name
  func path(of batch: RecordBatch, _ row: Int) throws(ReactorError) -> String {
    let record = batch.record(row)
    var scope = scope
    scope.values["record"] = ExpressionValue(record, as: recordType)
    do throws(PathTemplate.ValueError) {
      return try path.path(in: scope)
    } catch {
      throw self.error(error, record)
    }
  }

  private func error(_ problem: PathTemplate.ValueError, _ record: JSONValue) -> ReactorError {
    let expression = problem.expression
    let key = key.compactMap { name in record[name].map { "\(name) \($0.plainText)" } }.joined(separator: ", ")
    let name = key.isEmpty ? "a record" : "the record with \(key)"
    var error = ReactorError(.parser, "\(name) has no path: '\(expression.text)' \(problem.words)")
    if let reference = expression.references.first(where: { $0.root == "record" }), let member = reference.firstMember {
      error.pointer = JSONPointer(tokens: [member]).description
    }
    error.help =
      problem.help
      ?? "leave such records out with 'where', or give a value: coalesce(\(expression.text), 'none')"
    return error
  }
}
