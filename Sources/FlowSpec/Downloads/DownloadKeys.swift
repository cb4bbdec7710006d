enum DownloadKeys {
  static let construct = Construct(
    .download, noun: "'download'", "Where the responses are stored as files, as they are received.",
    details: """
      Each request gives one file and one record about it, with the members `path` (relative to the output root), \
      `bytes` (the size), `media_type` (the `Content-Type` without parameters, or null) and `sha256` (64 hexadecimal \
      digits). A schema maps this record like any other, and its computed fields can use the names of `each`. A file is \
      in its place before its record is persisted, and never half written; a response with an error, or one that is cut \
      short, gives neither. `http.max_bytes` limits a file, after decoding.
      A file that an earlier run has stored is replaced; any other file in its place is an error. Files whose records \
      are gone stay, and a file that is moved away is not requested again while the persisted result is used.
      """,
    shortForm: .init(.text, "The path alone.", examples: ["files/report.pdf"]),
    fields: [path], frame: .flow("each: { flow: regions, as: region }\nresource: /map\ndownload:\n  ◆"))

  static let path = Field(
    "path", .receivedFilePath, default: .required, "The path of each file, relative to the output root.",
    details: """
      It begins with the name of a folder. The names of `each` are usual in it; the path of each file must be another \
      one. A value becomes a part of one name: one that is empty, begins with a dot, or contains a slash or a control \
      character is an error. Such a record fails alone, if `each.on_error` is `skip`.
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
