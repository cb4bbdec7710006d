internal import Dispatch
internal import Synchronization

extension Array where Element: Sendable {
  /// Processes chunks of the array in parallel and returns the results in order.
  ///
  /// - Parameter minimum: the least number of elements for which parallel work is faster.
  package func concurrentChunks<Result: Sendable>(
    minimum: Int, _ work: @Sendable (ArraySlice<Element>) -> Result
  ) -> [Result] {
    // Use more chunks than processors: chunks take different times, and the last one should not delay the result.
    let number = Swift.min(32, count)
    guard count >= minimum, number > 1 else { return [work(self[...])] }
    let results = Mutex<[Result?]>(Array<Result?>(repeating: nil, count: number))
    DispatchQueue.concurrentPerform(iterations: number) { index in
      let result = work(self[count * index / number..<count * (index + 1) / number])
      results.withLock { $0[index] = result }
    }
    return results.withLock { $0.compactMap(\.self) }
  }
}
