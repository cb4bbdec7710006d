internal import SourceDiagnostics

/// One reading of a file: its documents and its problems.
struct YAMLReading {
  /// The roots of the documents that could be built.
  private(set) var documents: [YAMLNode] = []
  /// Whether every document was read to its end and no part of a tree is missing.
  private(set) var isWhole = false
  /// Everything found.
  let problems: DiagnosticBag

  /// Reads a file within limits.
  init(_ file: SourceFile, limits: YAMLLimits, policy: YAMLPolicy) {
    var problems = ProblemList(file: file)
    let check = ByteCheck(file, limits: limits, policy: policy, problems: &problems)
    guard check.isReadable else {
      self.problems = problems.bag
      return
    }
    var builder = TreeBuilder(file: file, limits: limits, policy: policy, problems: problems)
    file.bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes[check.base...])
      let index = ScalarIndex(text, base: check.base, isASCII: check.isASCII)
      Self.run(&builder, text, index)
    }
    documents = builder.documents
    isWhole = builder.isWhole
    self.problems = builder.problems.bag
  }

  /// Feeds events to the builder until the end, a syntax error, or a limit.
  private static func run(_ builder: inout TreeBuilder, _ text: UnsafeBufferPointer<UInt8>, _ index: ScalarIndex) {
    guard let parser = EventParser(text, index: index) else {
      return builder.fail(SyntaxFailure(problem: "out of memory", offset: 0, context: "", contextOffset: 0))
    }
    do throws(SyntaxFailure) {
      while builder.isReading { builder.take(try parser.next()) }
    } catch {
      builder.fail(error)
    }
  }
}
