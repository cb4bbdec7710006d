import Foundation
import ReactorCore
import Testing

@testable import Storage

/// What does not fit in a stamp.
@Suite struct NoteTests {
  @Test func `what is kept is given back, and what is not named any more goes`() async throws {
    let scratch = try Scratch()
    let root = OutputRoot(path: scratch.folder)
    #expect(try await root.note("a.1") == nil)
    await root.removeNotes(withPrefix: "a.", except: "")
    try await root.saveNote([1, 2, 3], as: "a.1")
    try await root.saveNote([4], as: "a.2")
    try await root.saveNote([], as: "b.1")
    #expect(try await root.note("a.1") == [1, 2, 3])
    await root.removeNotes(withPrefix: "a.", except: "a.2")
    #expect(try await root.note("a.1") == nil)
    #expect(try await root.note("a.2") == [4])
    #expect(try await root.note("b.1") == [])
    try await root.saveNote([5], as: "a.2")
    #expect(try await root.note("a.2") == [5])
    try await root.saveNote([6], as: "a.3", in: .jobs)
    #expect(try await root.noteNames(withPrefix: "a.", in: .jobs) == ["a.3"])
    #expect(try await root.noteNames(withPrefix: "b.", in: .jobs) == [])
    #expect(try await root.note("a.3") == nil)
    await root.removeNote("a.3", in: .jobs)
    await root.removeNote("a.3", in: .jobs)
    #expect(try await root.note("a.3", in: .jobs) == nil)
    await root.close()
  }
}
