import Foundation
import JSONSyntax
import ReactorCore
import Storage
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct RecordFeedTests {
  private static func lines(_ numbers: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in numbers { bytes += Array("{\"id\":\(number)}\n".utf8) }
    return bytes
  }

  private static func id(_ record: JSONValue) -> Int? {
    guard case .object(let object) = record, case .number(let number)? = object["id"] else { return nil }
    return Int(number.text)
  }

  private static func ids(_ reader: RecordFeed.Reader) async throws(ReactorError) -> [Int] {
    var reader = reader
    var ids: [Int] = []
    while let records = try await reader.next() { ids += records.compactMap(id) }
    return ids
  }

  @Test func `one writer and a hundred readers, of whom some come late`() async throws {
    let scratch = try Scratch()
    let feed = scratch.root().feed()
    feed.renew()
    let count = 4000
    await withTaskGroup(of: [Int]?.self) { group in
      for number in 0..<100 {
        group.addTask {
          for _ in 0..<number { await Task.yield() }
          return try? await Self.ids(feed.reader(batch: 100 + number * 37))
        }
      }
      for start in stride(from: 0, to: count, by: 40) {
        await feed.writer.append(Self.lines(start..<start + 40))
        await Task.yield()
      }
      feed.writer.finish()
      for await ids in group { #expect(ids == Array(0..<count)) }
    }
    #expect(try await Self.ids(feed.reader()) == Array(0..<count))
    // The file has no name.
    #expect(try scratch.names() == [])
  }

  @Test func `a reader gets records while the writer goes on`() async throws {
    let feed = try Scratch().root().feed()
    var reader = feed.reader()
    await feed.writer.append(Self.lines(0..<2))
    #expect(try await reader.next()?.compactMap(Self.id) == [0, 1])
    // The writer's next piece depends on what the reader has got: nothing is held back until the end.
    await feed.writer.append(Self.lines(2..<3))
    #expect(try await reader.next()?.compactMap(Self.id) == [2])
    feed.writer.finish()
    #expect(try await reader.next() == nil)
  }

  @Test func `records may come in any pieces`() async throws {
    for size in [1, 2, 3, 7, 64, 1000] {
      let feed = try Scratch().root().feed()
      let text = Self.lines(0..<50) + Array("\n\n{\"id\":50}".utf8)
      async let ids = Self.ids(feed.reader(batch: 5))
      for start in stride(from: 0, to: text.count, by: size) {
        await feed.writer.append(Array(text[start..<min(start + size, text.count)]))
      }
      feed.writer.finish()
      #expect(try await ids == Array(0...50))
    }
  }

  @Test func `what is no JSON is an error, not a record`() async throws {
    let feed = try Scratch().root().feed()
    await feed.writer.append(Array("{\"id\":1}\n{\"id\":\n".utf8))
    feed.writer.finish()
    #expect(await failure { () async throws(ReactorError) in try await Self.ids(feed.reader()) }?.kind == .parser)
  }

  @Test func `a record longer than a batch is given alone`() async throws {
    let feed = try Scratch().root().feed()
    let long = String(repeating: "x", count: 300_000)
    await feed.writer.append(Array("{\"id\":1}\n{\"id\":2,\"text\":\"\(long)\"}\n{\"id\":3}\n".utf8))
    feed.writer.finish()
    var reader = feed.reader(batch: 16)
    #expect(try await reader.next()?.compactMap(Self.id) == [1])
    #expect(try await reader.next()?.compactMap(Self.id) == [2])
    #expect(try await reader.next()?.compactMap(Self.id) == [3])
  }

  @Test func `a failure reaches readers that wait and readers that come`() async throws {
    let feed = try Scratch().root().feed()
    var reader = feed.reader()
    await feed.writer.append(Self.lines(0..<1))
    _ = try await reader.next()
    let waiting = reader
    async let result = failure { () async throws(ReactorError) in
      var waiting = waiting
      return try await waiting.next()
    }
    feed.writer.fail(.server("answered 500", status: 500))
    #expect(await result == .server("answered 500", status: 500))
    #expect(await failure { () async throws(ReactorError) in try await Self.ids(feed.reader()) }?.status == 500)
    // The first end counts, and nothing comes behind it.
    feed.writer.finish()
    await feed.writer.append(Self.lines(1..<2))
    #expect(await failure { () async throws(ReactorError) in try await Self.ids(feed.reader()) }?.status == 500)
  }

  @Test func `a new generation begins empty, and readers of the old one stay with it`() async throws {
    let feed = try Scratch().root().feed()
    feed.renew()
    let early = feed.reader()
    feed.renew()
    // Nothing had happened, so it is still the same.
    await feed.writer.append(Self.lines(0..<3))
    feed.writer.finish()
    feed.renew()
    let late = feed.reader()
    await feed.writer.append(Self.lines(7..<8))
    feed.writer.finish()
    #expect(try await Self.ids(early) == [0, 1, 2])
    #expect(try await Self.ids(late) == [7])
    feed.renew()
    let unfinished = feed.reader()
    await feed.writer.append(Self.lines(0..<1))
    feed.renew()
    #expect(await failure { () async throws(ReactorError) in try await Self.ids(unfinished) }?.kind == .server)
  }

  @Test func `a reader that is cancelled ends, and others go on`() async throws {
    let feed = try Scratch().root().feed()
    let reader = feed.reader()
    let tasks = (0..<20).map { _ in
      Task { () -> ReactorError? in await failure { () async throws(ReactorError) in try await Self.ids(reader) } }
    }
    let other = Task { try? await Self.ids(reader) }
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.value == .cancelled) }
    await feed.writer.append(Self.lines(0..<2))
    feed.writer.finish()
    #expect(await other.value == [0, 1])
  }

  @Test func `a million lines are read in batches that stay small`() async throws {
    let scratch = try Scratch()
    let feed = scratch.root().feed()
    let block = Array(String(repeating: "1\n", count: 10_000).utf8)
    async let read = { () async throws(ReactorError) -> (count: Int, most: Int) in
      var reader = feed.reader(batch: 1 << 14)
      var (count, most) = (0, 0)
      while let records = try await reader.next() {
        count += records.count
        most = max(most, records.count)
      }
      return (count, most)
    }()
    for _ in 0..<100 { await feed.writer.append(block) }
    feed.writer.finish()
    let (count, most) = try await read
    #expect(count == 1_000_000)
    #expect(most <= 1 << 13)
  }

  @Test func `a root that cannot hold the file leaves it to the next folder`() async throws {
    let scratch = try Scratch()
    let root = OutputRoot(path: scratch.path("nowhere"))
    let feed = root.feed(orIn: [scratch.folder])
    await feed.writer.append(Self.lines(0..<20_000))
    feed.writer.finish()
    #expect(try await Self.ids(feed.reader()).count == 20_000)
    #expect(try scratch.names() == [])
    let small = root.feed(orIn: [])
    await small.writer.append(Self.lines(0..<3))
    small.writer.finish()
    // Few records need no file at all.
    #expect(try await Self.ids(small.reader()) == [0, 1, 2])
  }

  @Test func `where no folder holds the file, readers fail and the writer does not notice`() async throws {
    let scratch = try Scratch()
    let feed = OutputRoot(path: scratch.path("nowhere")).feed(orIn: [])
    await feed.writer.append(Self.lines(0..<20_000))
    await feed.writer.append(Self.lines(20_000..<20_001))
    feed.writer.finish()
    let error = await failure { () async throws(ReactorError) in try await Self.ids(feed.reader()) }
    #expect(error?.kind == .persistence)
    #expect(error?.message.hasPrefix("cannot store records in a temporary file in") == true)
  }
}
