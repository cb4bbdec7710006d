internal import Fixtures
internal import ReactorCore
internal import Records

extension FixtureSession {
  /// The rows of a database that a flow uses as parents: a recording stores them, and a replay reads them back.
  ///
  /// - Parameters:
  ///   - parent: the number of the parent, from 0
  ///   - read: reads the rows from the database
  func recordedRows(
    of flow: String, parent: Int, _ read: @Sendable () async throws(ReactorError) -> any RecordFile
  ) async throws(ReactorError) -> any RecordFile {
    let path = FixtureFolder(root: settings.folder, flow: flow).rowsPath(parent)
    do throws(FixtureError) {
      if settings.mode != .all, let bytes = try FixtureFiles.read(path) { return RecordedRows(bytes: bytes) }
    } catch {
      throw .fixture(error.message, help: error.help)
    }
    guard settings.mode != .none else {
      throw .fixture("there is no recording of the rows '\(path)'", help: "record the flow: reactor record -s \(flow)")
    }
    let body = try await read().body()
    var bytes: [UInt8] = []
    while let piece = try await body.next() { bytes += piece }
    if settings.writesRecordings {
      let scrubbed = try tape(of: flow).scrubber(keepsMarks: false).scrub(bytes)
      do throws(FixtureError) {
        try FixtureFiles.write(scrubbed, to: path)
      } catch {
        throw .fixture(error.message, help: error.help)
      }
    }
    return RecordedRows(bytes: bytes)
  }
}

/// Rows in memory, as JSON Lines.
private struct RecordedRows: RecordFile {
  let bytes: [UInt8]

  func body() async throws(ReactorError) -> ResponseBody { ResponseBody(bytes: bytes) }
}
