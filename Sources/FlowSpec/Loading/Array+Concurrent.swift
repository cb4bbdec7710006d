internal import Dispatch
internal import Synchronization

extension Array where Element: Sendable {
  /// Cuts the array into chunks, works on them in parallel, and gives the results in order.
  ///
  /// - Parameter least: elements for which a second thread pays; with fewer everything is done here.
  package func concurrentChunks<Result: Sendable>(
    least: Int, _ work: @Sendable (ArraySlice<Element>) -> Result
  ) -> [Result] {
    // More than there are processors: chunks take different times, and nobody waits long for the last.
    let number = Swift.min(32, count)
    guard count >= least, number > 1 else { return [work(self[...])] }
    let results = Mutex<[Result?]>(Array<Result?>(repeating: nil, count: number))
    DispatchQueue.concurrentPerform(iterations: number) { place in
      let result = work(self[count * place / number..<count * (place + 1) / number])
      results.withLock { $0[place] = result }
    }
    return results.withLock { $0.compactMap(\.self) }
  }
}
