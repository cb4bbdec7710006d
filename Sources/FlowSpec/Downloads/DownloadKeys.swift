internal import Expressions
internal import FlowModel
internal import SourceDiagnostics
internal import YAMLSyntax

enum DownloadKeys {
  static let construct = Construct(
    .download, noun: "'download'", "Where the responses are stored as files, as they are received.",
    details: """
      Each request gives one file and one record about it, with the members `path` (relative to the output root), \
      `bytes` (the size), `media_type` (the `Content-Type` without parameters, or null) and `sha256` (64 hexadecimal \
      digits). A schema maps this record like any other, and its computed fields can use the names of `each`. A file \
      is complete before its record is persisted, and is never visible in part; a response with an error, or one that \
      ends too early, gives neither file nor record. `http.max_bytes` limits the size of a file, after decoding.
      A file that an earlier run has stored is replaced; any other file with its path is an error. Files stay when \
      their records are removed. A file that was moved away is not requested again while the persisted result is used.
      """,
    shortForm: .init(.text, "The path alone.", examples: ["files/report.pdf"]),
    fields: [path], frame: .flow("each: { flow: regions, as: region }\nresource: /map\ndownload:\n  ◆"))

  static let path = Field(
    "path", .receivedFilePath, default: .required, "The path of each file, relative to the output root.",
    details: """
      It begins with the name of a folder. It usually contains names of `each`, because each file needs its own path. \
      A value must be a valid part of one file or folder name: a value that is empty, begins with a dot, or contains a \
      slash or a control character is an error. With `each.on_error: skip`, only the record with this value fails.
      """, secrets: .refused, edit: .asksAnew,
    examples: [
      "path: \"files/{{ region.id }}.pdf\"", "path: \"files/{{ vars.region }}/{{ region.id }}-{{ region.name }}\"",
    ],
    mistakes: [
      "path: ↓\"{{ region.name }}\"": .invalidOutput, "path: ↓\"/files/{{ region.id }}\"": .invalidOutput,
      "path: ↓\"files/../{{ region.id }}\"": .invalidOutput, "path: ↓\"files/{{ region.id }}/\"": .invalidOutput,
      "path: ↓files/all.pdf": .invalidOutput, "path: \"files/{{ ↓regoin.id }}\"": .templateUnknownRoot,
      "path: \"files/↓{{ secrets.SHOP_TOKEN }}-{{ region.id }}\"": .templateSecretNotAllowed,
    ])
}

extension FlowReader {
  /// Reads where responses are stored as files.
  ///
  /// - Parameter scope: the names of the parents
  mutating func download(_ flow: FieldNodes, in scope: Scope) -> Reading<Located<Template>> {
    guard let value = flow.value(FlowKeys.download, in: scope), !value.node.isNull else {
      return flow.isLeftOut(FlowKeys.download) ? .absent : .broken
    }
    let path: Located<Template>?
    if value.node.isScalar {
      path = read(DownloadKeys.path, short: value)
    } else {
      path = open(value, as: .download).flatMap { read(DownloadKeys.path, of: $0) }
    }
    guard let path else { return .broken }
    if !path.value.isDynamic, flow.key(FlowKeys.each) != nil, !scope.mayHaveMore {
      let name = scope.names.first?.name ?? "parent"
      report(
        .invalidOutput, "all files would have the same path", at: path.range,
        help: "use a field whose values differ, for example 'files/{{ \(name).id }}'")
      return .broken
    }
    return .value(path)
  }

  /// Reads the path of files that are stored as received.
  mutating func receivedFilePath(_ value: FieldValue) -> Located<Template>? {
    guard let template = filled(value) else { return nil }
    let folder: String
    do throws(URLSyntaxError) {
      folder = try ReceivedFileText.folder(of: template.value)
    } catch {
      return fail(.invalidOutput, error.message, at: value.node.range, help: error.help)
    }
    let home = PathText.normalized(PathText.folder(of: file.path))
    guard !home.isEmpty, folder == home || folder.hasPrefix(home + "/") else { return template }
    return fail(
      .invalidOutput, "the files would be among the flow files in '\(printable(home))'", at: value.node.range,
      help: "choose a separate folder, such as files/")
  }

  /// Reports parts of a flow that read the content of a response, which is stored as a file instead.
  mutating func checkDownload(
    _ resource: RequestDeclaration?, _ each: Each<EachSource>?, _ expect: Expectations?, at flow: FieldNodes
  ) {
    var keys: [(name: String, range: SourceRange?)] = [
      ("records", flow.key(FlowKeys.records)), ("decode", flow.key(FlowKeys.decode)),
      ("cursor", flow.key(FlowKeys.cursor)), ("field_groups", flow.key(FlowKeys.fieldGroups)),
      ("expect.total", expect?.total?.range),
    ]
    if !isOnePageMeant(flow) { keys.append(("pages", flow.key(FlowKeys.pages))) }
    let given = keys.filter { $0.range != nil }.map(\.name)
    if let first = given.first {
      report(
        .misplacedKey,
        "\(listed(given)) \(given.count == 1 ? "reads" : "read") the response, "
          + "but 'download' stores it as a file",
        at: keys.first { $0.name == first }?.range,
        help: given == ["cursor"]
          ? "declare the cursor in the parent flow, and add 'only: changed' to 'each'"
          : "leave it out, or read the response in a flow of its own")
    }
    if let batch = each?.batch, let each {
      report(
        .misplacedKey, "'batch' gets one response for \(batch.size) records, but 'download' needs one for each file",
        at: each.range,
        help: "leave out 'batch'")
    }
    if resource?.body?.isGraphQL ?? false {
      report(
        .misplacedKey, "the response to a GraphQL request is JSON, but 'download' stores it as a file",
        at: flow.key(FlowKeys.download),
        help: "request the URLs of the files in a separate flow, and use them here in 'resource.url'")
    }
  }
}
