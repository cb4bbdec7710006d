/// Passes ranges of a flow's parents to other processes of the run, and the responses to their requests back.
///
/// The process that runs the flow offers ranges. Each range is requested by one process. Whatever fails here costs time
/// and no records: the process that runs the flow requests what it does not get.
public protocol RangeExchange: Sendable {
  /// Offers a range to the other processes.
  ///
  /// - Parameters:
  ///   - number: the number of the range in the flow, from 0
  ///   - content: the parents of the range, for `DeclaredFlow.responses(to:)`
  func offer(_ number: Int, _ content: [UInt8]) async

  /// Takes a range for this process, unless another process has it or has requested it.
  func claim(_ number: Int) async -> RangeClaim

  /// Takes the first range that no process has, from a number on.
  ///
  /// - Returns: its number; nil if there is none
  func claimFree(from number: Int) async -> Int?

  /// Withdraws all ranges.
  func end() async
}

/// Who requests a range.
public enum RangeClaim: Sendable, Hashable {
  /// This process.
  case own
  /// Another process, which has not ended it.
  case elsewhere
  /// Another process has requested it and got these responses.
  case responses([UInt8])
}
