internal import Expressions
internal import JSONSyntax
internal import ReactorCore

/// Decodes the elements of a response into the rows of a batch: a plan's mapping, carried out on tokens.
final class RowReader: ElementReader {
  let batch: RecordBatch
  private let decoder: RecordDecoder
  private let isStrict: Bool
  private let rejections: RecordScanner.Rejections
  private let stage: RecordStage?
  /// The number of records that `where` left out.
  private(set) var leftOut = 0
  private var row: UnsafeMutablePointer<Cell>
  /// Whether to search for fields that no record has.
  private var seeksFields: Bool
  /// The fields that no record has; set at the first record.
  private var missingFields: MissingFields?

  init(
    plan: MappingPlan, isStrict: Bool, seeksFields: Bool, rejections: RecordScanner.Rejections, stage: RecordStage?
  ) {
    batch = RecordBatch(plan: plan)
    decoder = RecordDecoder(plan: plan, batch: batch, tokens: .none)
    row = batch.nextRow()
    self.isStrict = isStrict
    self.seeksFields = seeksFields
    self.rejections = rejections
    self.stage = stage
  }

  /// The fields that no record has and that are probably misspelt.
  var misspeltFields: [MissingField] { missingFields?.fields ?? [] }

  /// The members of records that no field reads, if the schema was inferred.
  var newMembers: Set<String> { decoder.unread }

  func begin(_ tokens: JSONTokens, firstIndex: Int) {
    batch.begin(window: tokens.base, firstIndex: firstIndex)
    decoder.tokens = tokens
  }

  func read(_ token: Int) throws(JSONError) -> Int {
    row = batch.nextRow()
    return try decoder.record(token, into: row)
  }

  func judge(_ tokens: Range<Int>, index: Int, rejected: Int) -> MappedError? {
    if let error = rejections.flaws?.take(at: index) { return reject(error, tokens, index: index) }
    if let stage { return judge(by: stage, tokens, index: index, rejected: rejected) }
    if seeksFields { seekFields(tokens) }
    guard let field = decoder.firstMismatch(firstField: 0, count: batch.width, row: row) else {
      batch.commitRow()
      return nil
    }
    return reject(field, tokens, index: index, rejected: rejected)
  }

  /// Checks the record, computes its fields and evaluates `where`; returns an error if the record is rejected.
  private func judge(by stage: RecordStage, _ tokens: Range<Int>, index: Int, rejected: Int) -> MappedError? {
    do throws(RecordError) {
      let source = stage.needsSource ? try source(of: tokens, index: index, stage) : nil
      if stage.sources == nil, try !stage.admits(source: source) {
        leftOut += 1
        return nil
      }
      if seeksFields { seekFields(tokens) }
      if let field = decoder.firstMismatch(firstField: 0, count: batch.width, row: row) {
        return reject(field, tokens, index: index, rejected: rejected)
      }
      if try stage.completes(row, source: source, decoder) { batch.commitRow() } else { leftOut += 1 }
      return nil
    } catch {
      return reject(error, tokens, index: index)
    }
  }

  /// The record before mapping, as a value for expressions.
  private func source(of range: Range<Int>, index: Int, _ stage: RecordStage) throws(RecordError) -> ExpressionValue? {
    if let sources = stage.sources { return sources.values[index - sources.first] }
    do throws(JSONError) {
      return ExpressionValue(
        try decoder.tokens.value(range.lowerBound, depth: 0, scratch: decoder.scalarText).0)
    } catch {
      throw RecordError(error.message, rule: Mismatch.loneSurrogate.rule)
    }
  }

  func kept() -> [Record] { (0..<batch.count).map { Record(batch.record($0)) } }

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
    return reject(RecordError(error, rule: RejectionText.rule(row[field])), range, index: index)
  }

  private func reject(_ error: RecordError, _ range: Range<Int>, index: Int) -> MappedError {
    if rejections.areListed { batch.rejected.append((index, error)) }
    rejections.taker?(
      RejectedRecord(
        index: index, pointer: error.error.pointer, rule: error.rule, reason: error.error.message, decoder.tokens,
        range))
    return error.error
  }
}
