internal import JSONSyntax
internal import ReactorCore

/// Decodes the elements of a response into the rows of a batch, by a plan.
final class RowReader: ElementReader {
  let batch: RecordBatch
  private let decoder: RecordDecoder
  private let isStrict: Bool
  private let rejections: RecordScanner.Rejections
  private var row: UnsafeMutablePointer<Cell>
  /// Whether records are searched for fields that none of them has.
  private var seeksFields: Bool
  /// Those fields, from the first record on.
  private var missingFields: MissingFields?

  init(plan: MappingPlan, isStrict: Bool, seeksFields: Bool, rejections: RecordScanner.Rejections) {
    batch = RecordBatch(plan: plan)
    decoder = RecordDecoder(plan: plan, batch: batch, tokens: .none)
    row = batch.nextRow()
    self.isStrict = isStrict
    self.seeksFields = seeksFields
    self.rejections = rejections
  }

  /// The fields that no record has and that look misspelt.
  var misspeltFields: [MissingField] { missingFields?.fields ?? [] }

  func begin(_ tokens: JSONTokens, firstIndex: Int) {
    batch.begin(window: tokens.base, firstIndex: firstIndex)
    decoder.tokens = tokens
  }

  func read(_ token: Int) throws(JSONError) -> Int {
    row = batch.nextRow()
    return try decoder.record(token, into: row)
  }

  func judge(_ tokens: Range<Int>, index: Int, rejected: Int) -> MappedError? {
    if seeksFields { seekFields(tokens) }
    guard let field = decoder.firstMismatch(firstField: 0, count: batch.width, row: row) else {
      batch.commitRow()
      return nil
    }
    return reject(field, tokens, index: index, rejected: rejected)
  }

  func failure(_ error: MappedError, at index: Int) -> ReactorError { RecordError(error, rule: "").failure(at: index) }

  private func seekFields(_ range: Range<Int>) {
    if missingFields == nil {
      missingFields = MissingFields(row, of: batch.plan) { decoder.shortRecord(range) }
    } else {
      missingFields?.take(row)
    }
    seeksFields = missingFields?.isEmpty == false
  }

  private func reject(_ field: Int, _ range: Range<Int>, index: Int, rejected: Int) -> MappedError {
    let isReported =
      rejections.taker != nil || rejections.needReasons || isStrict || rejected < PruneReport.listLimit
    let error =
      isReported
      ? RejectionText.describe(row[field], field: field, decoder: decoder, record: rejected == 0 ? range : nil)
      : MappedError("")
    let refusal = RecordError(error, rule: RejectionText.rule(row[field]))
    if rejections.areListed { batch.refused.append((index, refusal)) }
    rejections.taker?(
      RejectedRecord(
        index: index, pointer: error.pointer, rule: refusal.rule, reason: error.message, decoder.tokens, range))
    return error
  }
}
