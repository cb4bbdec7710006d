import FuzzSupport
@testable import Storage

/// A line of the journal beside results: what is read is written again alike, whatever the line is.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = input(start, count)
  check(bytes[...])
  // The check would keep nearly every change out: so it is made right.
  var line = Array("r1\t".utf8)
  let digits = String(ContentHash.of(bytes), radix: 16)
  line += Array((String(repeating: "0", count: 16 - digits.count) + digits + "\t").utf8) + bytes
  check(line[...])
  return 0
}

private func check(_ line: ArraySlice<UInt8>) {
  guard let (name, stamp) = Stamp.parse(line) else { return }
  let again = stamp.line(for: name)
  require(!again.contains(0x0A), "a line end inside of a line")
  guard again.count <= Stamp.maxLineBytes else { return }
  guard let (secondName, second) = Stamp.parse(again[...]) else { fatalError("what was written cannot be read") }
  require(name.utf8.elementsEqual(secondName.utf8), "the name has changed")
  var expected = stamp
  // Longer ones are not kept.
  if (stamp.provenance.etag?.utf8.count ?? 0) > 1024 { expected.provenance.etag = nil }
  if (stamp.provenance.lastModified?.utf8.count ?? 0) > 1024 { expected.provenance.lastModified = nil }
  require(second == expected, "the stamp has changed")
}
