import SourceDiagnostics

/// Codes for problems with the format of responses.
extension FlowCode {
  package static let misplacedDecodeKey = FlowCode(
    "decode.misplaced-key", "key without effect for this format",
    """
    Each format has its own keys: tables have delimiters, quotes and columns, text has an encoding, archives have \
    members. In tables and lines each row is a record, so no path leads to the records.
    """, .flow("decode: { format: ‹jsonl→csv›, delimiter: \";\" }"))
  package static let incompleteDecode = FlowCode(
    "decode.incomplete", "format that is not fully described",
    "A table without a header needs names for its columns.",
    .flow("decode: { format: csv, ‹header: false→header: false, columns: [id, name]› }"))
  package static let invalidDelimiter = FlowCode(
    "decode.invalid-delimiter", "delimiter or quote that cannot be used",
    "Delimiters and quotes are single ASCII characters, and differ from each other.",
    .flow("decode: { format: csv, delimiter: ‹semicolon→\";\"› }"))
  package static let invalidPacking = FlowCode(
    "decode.invalid-packing", "packings in another order",
    """
    Packings are listed from the outside. An archive has many members, so it is the outermost one; its members may be \
    compressed files.
    """, .flow("decode: { format: csv, unpack: [‹gzip, zip→zip, gzip›] }"))
}
