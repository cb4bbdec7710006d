internal import FlowSpec
internal import Storage
internal import Synchronization

/// Something that the loader asked the disk for besides the flow files, and a digest of the answer.
struct LoaderQuestion: Sendable, Hashable {
  enum Kind: UInt64, Sendable {
    /// The names in a folder.
    case names
    /// The bytes of a file.
    case bytes
  }

  let kind: Kind
  let path: String
  let answer: UInt64

  /// Whether the disk answers as it did.
  func isAnsweredAlike(by reader: SourceReader) -> Bool {
    switch kind {
    case .names: Self.names(path, reader).digest == answer
    case .bytes: Self.bytes(path, reader).digest == answer
    }
  }

  fileprivate typealias Answer<Value> = (result: Result<Value, SourceReadError>, digest: UInt64)

  fileprivate static func names(_ path: String, _ reader: SourceReader) -> Answer<[String]?> {
    do throws(SourceReadError) {
      let names = try reader.names(path)
      // A file system gives them in any order.
      return (.success(names), names.map { digest("names", $0.sorted()) } ?? digest("none", []))
    } catch {
      return (.failure(error), digest("fault", [error.message]))
    }
  }

  fileprivate static func bytes(_ path: String, _ reader: SourceReader) -> Answer<[UInt8]> {
    do throws(SourceReadError) {
      let bytes = try reader.bytes(path)
      return (.success(bytes), ContentHash.of(bytes))
    } catch {
      return (.failure(error), digest("fault", [error.message]))
    }
  }

  private static func digest(_ word: String, _ texts: [String]) -> UInt64 {
    var digest = PlanDigest()
    digest.take(word)
    for text in texts { digest.take(text) }
    return digest.value
  }
}

/// The questions that a loader asks, in order.
final class LoaderQuestions: Sendable {
  private let asked = Mutex<[LoaderQuestion]>([])

  /// What was asked so far.
  var all: [LoaderQuestion] { asked.withLock { $0 } }

  /// A reader that answers like another, and takes notes.
  func noting(_ reader: SourceReader) -> SourceReader {
    SourceReader(workingFolder: reader.workingFolder) { [self] (path) throws(SourceReadError) in
      try note(.names, path, LoaderQuestion.names(path, reader))
    } bytes: { [self] (path) throws(SourceReadError) in
      try note(.bytes, path, LoaderQuestion.bytes(path, reader))
    }
  }

  private func note<Value>(
    _ kind: LoaderQuestion.Kind, _ path: String, _ answer: LoaderQuestion.Answer<Value>
  ) throws(SourceReadError) -> Value {
    asked.withLock { $0.append(LoaderQuestion(kind: kind, path: path, answer: answer.digest)) }
    return try answer.result.get()
  }
}

/// A hash of texts and bytes, each behind its length, so that none runs into the next.
struct PlanDigest {
  private var hash = ContentHash()

  /// The hash of everything taken so far.
  var value: UInt64 { hash.value }

  mutating func take(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { hash.update($0) } }

  mutating func take(_ bytes: [UInt8]) {
    take(UInt64(bytes.count))
    bytes.withUnsafeBytes { hash.update($0) }
  }

  mutating func take(_ text: String) { take(Array(text.utf8)) }
}
