internal import ReactorCore
internal import Records
internal import Storage

/// Stages the files of a result that is split by values of its records.
struct SplitSpool: Sendable {
  let template: SplitTemplate
  let stage: SplitStage

  /// Creates an empty spool for a result path; nil if the path contains no fields of records, so that it is one file.
  ///
  /// The caller must hold the lock of the result path.
  init?(_ path: RecordPath, _ plan: MappingPlan, in root: OutputRoot) {
    guard let split = path.split else { return nil }
    template = split.template
    stage = SplitStage(path.output, like: split.sample, in: root, head: RecordPath.head(of: plan, path.output.format))
  }
}

/// The records of a result in several files, which a manifest lists.
private struct SplitRecords: RecordFile {
  let root: OutputRoot
  let path: OutputPath
  let manifest: SplitManifest
  let head: [UInt8]

  func body() async throws(ReactorError) -> ResponseBody {
    ResponseBody(SplitContent(manifest, at: path, in: root, head: head))
  }
}

extension RecordPath {
  /// The bytes before the first record of each file: the header row of CSV; empty for other formats.
  static func head(of plan: MappingPlan, _ format: RecordFormat) -> [UInt8] {
    format == .csv ? RecordOutput(plan, format: .csv).finish() : []
  }

  /// The records of an intact result. Of a result in several files, all files are checked.
  func records(
    of file: StoredFile, in root: OutputRoot, _ plan: MappingPlan
  ) async throws(ReactorError) -> any RecordFile {
    guard split != nil else { return VerifiedRecords(file: file) }
    return SplitRecords(
      root: root, path: output, manifest: try await root.verifiedManifest(file, at: output),
      head: Self.head(of: plan, output.format))
  }
}
