internal import ReactorCore
internal import Storage
internal import Synchronization

/// The paths of the files that the flows of a run store, each with the record that it belongs to.
///
/// It uses about 200 bytes of memory for each file.
final class DownloadedPaths: Sendable {
  private struct Owner {
    let flow: String
    let words: String
  }

  private struct State {
    var owners: [OutputPath: Owner] = [:]
    /// For each flow, the error about a path that two records share. Of several such paths, the first in sorted order
    /// counts, so the error does not depend on the order of the responses.
    var clashes: [String: (path: String, error: ReactorError)] = [:]
  }

  private let state = Mutex(State())

  /// Forgets the paths of an earlier attempt of a flow.
  func begin(_ flow: String) {
    state.withLock { state in
      state.owners = state.owners.filter { $0.value.flow != flow }
      state.clashes[flow] = nil
    }
  }

  /// Registers a path. It stays registered even if the request fails later.
  ///
  /// - Parameter words: the record that the file belongs to, for messages
  /// - Throws: when another record has the path; the flow then fails at its end
  func take(_ path: OutputPath, of flow: String, for words: String) throws(ReactorError) {
    let words = String(words.prefix(80))
    try state.withLock { (state: inout State) throws(ReactorError) in
      guard let owner = state.owners.updateValue(Owner(flow: flow, words: words), forKey: path) else { return }
      state.owners[path] = owner
      let names = owner.flow == flow ? [owner.words, words].sorted() : ["\(owner.words) of \(owner.flow)", words]
      var error = ReactorError.download(
        "two records have the same file, \(path.text): \(names[0]) and \(names[1])",
        help: "add a field that differs to 'download.path', such as an id")
      error.path = path.text
      if state.clashes[flow].map({ path.text < $0.path }) ?? true { state.clashes[flow] = (path.text, error) }
      throw error
    }
  }

  /// The error of a flow in which two records have the same file; nil without such records.
  func clash(of flow: String) -> ReactorError? { state.withLock { $0.clashes[flow]?.error } }
}
