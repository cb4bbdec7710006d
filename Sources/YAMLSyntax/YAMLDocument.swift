public import SourceDiagnostics

/// Reads one YAML document from a file.
///
/// ```swift
/// var diagnostics = DiagnosticBag()
/// let file = SourceFile(path: "flows/shop.yaml", text: "reactor: 1\n")
/// if let root = YAMLDocument.parse(file, diagnostics: &diagnostics), !diagnostics.hasErrors { … }
/// ```
public enum YAMLDocument {
  /// Returns the document's root, or nil after reporting at least one error.
  ///
  /// All errors of the file are reported in one pass. Only a syntax error or an exceeded limit stops the reading.
  ///
  /// The root is also returned after errors that leave the tree complete, so that later stages can report their errors
  /// in the same run. These errors are a repeated key (the first one is used), a reused anchor, and an unknown tag (it
  /// is dropped). A caller must check `diagnostics.hasErrors` before it uses the tree.
  ///
  /// - Parameters:
  ///   - file: the file, whose bytes are read as UTF-8; a byte order mark at the start is skipped
  ///   - limits: the bounds; exceeding one stops the reading with an error
  ///   - diagnostics: receives the problems
  /// - Complexity: linear in the bytes of the file
  public static func parse(
    _ file: SourceFile, limits: YAMLLimits = YAMLLimits(), diagnostics: inout DiagnosticBag
  ) -> YAMLNode? {
    let reading = YAMLReading(file, limits: limits, isStrict: true, resolvesMerges: true)
    diagnostics.merge(reading.problems)
    return reading.isWhole ? reading.documents.first : nil
  }
}

/// Reads all documents of a stream, for files of other programs.
///
/// All of YAML that libyaml supports is allowed.
package enum YAMLStream {
  /// Returns the roots in order, or nil after reporting at least one error.
  ///
  /// Tags are as libyaml resolves them. The name of a key that is a list, a mapping or empty is `""`. Repeated keys are
  /// all returned, in order.
  ///
  /// - Parameter resolvesMerges: whether the key `<<` merges the mapping after it, as in YAML 1.1; otherwise it is a
  ///   key like others, as in YAML 1.2
  package static func documents(
    _ file: SourceFile, limits: YAMLLimits = YAMLLimits(), resolvesMerges: Bool, diagnostics: inout DiagnosticBag
  ) -> [YAMLNode]? {
    let reading = YAMLReading(file, limits: limits, isStrict: false, resolvesMerges: resolvesMerges)
    diagnostics.merge(reading.problems)
    return reading.isWhole ? reading.documents : nil
  }
}

/// The result of reading a file: its documents and its problems.
struct YAMLReading {
  /// The roots of the documents that could be built.
  private(set) var documents: [YAMLNode] = []
  /// Whether every document was read completely.
  private(set) var isWhole = false
  /// All problems of the file.
  let problems: DiagnosticBag

  /// Reads a file within limits.
  init(_ file: SourceFile, limits: YAMLLimits, isStrict: Bool, resolvesMerges: Bool) {
    var problems = ProblemList(file: file)
    let check = ByteCheck(file, limits: limits, isStrict: isStrict, problems: &problems)
    guard check.isReadable else {
      self.problems = problems.bag
      return
    }
    var builder = TreeBuilder(
      file: file, limits: limits, isStrict: isStrict, resolvesMerges: resolvesMerges, problems: problems)
    file.bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes[check.base...])
      let index = ScalarIndex(text, base: check.base, isASCII: check.isASCII)
      Self.run(&builder, text, index)
    }
    documents = builder.documents
    isWhole = builder.isWhole
    self.problems = builder.problems.bag
  }

  /// Passes events to the builder until the end, a syntax error, or a limit.
  private static func run(_ builder: inout TreeBuilder, _ text: UnsafeBufferPointer<UInt8>, _ index: ScalarIndex) {
    guard let parser = EventParser(text, index: index) else {
      return builder.fail(SyntaxError(problem: "out of memory", offset: 0, context: "", contextOffset: 0))
    }
    do throws(SyntaxError) {
      while builder.isReading { builder.take(try parser.next()) }
    } catch {
      builder.fail(error)
    }
  }
}
