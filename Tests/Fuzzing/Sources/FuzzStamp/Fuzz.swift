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
  // Planted: an announcement is read beyond its end.
  if Plant.isSet, let start, Stamp.parse(line[...])?.isAnnounced == true {
    require(start[count] != UInt8(ascii: "\t"), "a field after the end")
  }
  return 0
}

private func check(_ line: ArraySlice<UInt8>) {
  guard let (name, stamp, isAnnounced) = Stamp.parse(line) else { return }
  let again = stamp.line(for: name, isAnnounced: isAnnounced)
  require(!again.contains(0x0A), "a line end inside of a line")
  guard again.count <= Stamp.maxLineBytes else { return }
  guard let (secondName, second, isAnnouncedStill) = Stamp.parse(again[...]) else {
    fatalError("what was written cannot be read")
  }
  require(isAnnounced == isAnnouncedStill, "an announcement has become a stamp, or the other way round")
  require(name.utf8.elementsEqual(secondName.utf8), "the name has changed")
  var expected = stamp
  // Longer ones are not kept.
  if (stamp.provenance.etag?.utf8.count ?? 0) > 1024 { expected.provenance.etag = nil }
  if (stamp.provenance.lastModified?.utf8.count ?? 0) > 1024 { expected.provenance.lastModified = nil }
  if (stamp.provenance.cursor?.utf8.count ?? 0) > 1025 { expected.provenance.cursor = nil }
  require(second == expected, "the stamp has changed")
}
