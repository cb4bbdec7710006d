internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Array where Element: Sendable {
  /// Cuts the array into stretches, works on them beside each other, one on each processor, and gives the results in
  /// order.
  ///
  /// - Parameter least: elements for which a second thread pays; with fewer everything is done here.
  package func concurrentStretches<Result: Sendable>(
    least: Int, _ work: @Sendable (ArraySlice<Element>) -> Result
  ) -> [Result] {
    let processors = Swift.max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    // Eight for each processor: whoever gets the quick ones goes on with the rest, and nobody waits long for the last.
    let number = count < least ? 1 : Swift.min(processors > 1 ? processors * 8 : 1, count)
    guard number > 1 else { return [work(self[...])] }
    let results = Mutex<[Result?]>(Swift.Array(repeating: nil, count: number))
    DispatchQueue.concurrentPerform(iterations: number) { place in
      let result = work(self[count * place / number..<count * (place + 1) / number])
      results.withLock { $0[place] = result }
    }
    return results.withLock { $0.compactMap { $0 } }
  }
}
